foreach(name file accessor vertices fixes inverse_bind)
    rigproof_test(import gltf_${name} import data base)
endforeach()
