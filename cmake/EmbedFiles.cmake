# Run by rigproof_embed() of Embed.cmake at build time: FILES -> OUTPUT, a table of name and text.
set(arrays "")
set(table "")
set(index 0)
foreach(file ${FILES})
    get_filename_component(name ${file} NAME)
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(APPEND arrays "static const unsigned char file_${index}[] = {${bytes}0x00};\n")
    string(APPEND table "    {\"${name}\", (const char *)file_${index}},\n")
    math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUTPUT} "#include \"base/embedded.h\"\n\nEMBEDDED(${NAME});\n\n${arrays}\n"
     "const struct embedded_file ${NAME}s[] = {\n${table}};\nconst unsigned ${NAME}_count = ${index};\n")
