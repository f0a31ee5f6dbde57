# rigproof_embed(TARGET NAME FILES...): makes NAMEs_embedded.c, which holds the files as strings, part of the target.
# base/embedded.h says how a source declares its table: EMBEDDED(NAME).
function(rigproof_embed target name)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}s_embedded.c)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DNAME=${name}" "-DFILES=${ARGN}"
                -P ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
        DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
        VERBATIM)
    target_sources(${target} PRIVATE ${output})
endfunction()
