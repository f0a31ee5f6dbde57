# rigproof_embed(TARGET NAME FILES...): makes NAMEs_embedded.c, which holds the files as strings, part of the target. The
# stage TARGET declares the table in <stage>/NAME.h: `struct NAME { const char *name; const char *text; }`,
# `extern const struct NAME NAMEs[]` and `extern const unsigned NAME_count`.
function(rigproof_embed target name)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}s_embedded.c)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DHEADER=${target}/${name}.h" "-DNAME=${name}" "-DFILES=${ARGN}"
                -P ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
        DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
        VERBATIM)
    target_sources(${target} PRIVATE ${output})
endfunction()
