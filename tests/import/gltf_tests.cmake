foreach(name file accessor vertices mend)
    rigproof_test(import gltf_${name} import data base)
endforeach()
