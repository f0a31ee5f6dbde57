# Run by EmbedShaders.cmake at build time: FILES -> OUTPUT, a table of name and text.
set(arrays "")
set(table "")
set(index 0)
foreach(file ${FILES})
    get_filename_component(name ${file} NAME)
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(APPEND arrays "static const char file_${index}[] = {${bytes}0x00};\n")
    string(APPEND table "    {\"${name}\", file_${index}},\n")
    math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUTPUT} "#include \"draw/shader_source.h\"\n\n${arrays}\n"
     "const struct shader_source shader_sources[] = {\n${table}};\nconst unsigned shader_source_count = ${index};\n")
