# rigproof_embed(TARGET HEADER FILES...): makes NAMEs_embedded.c, which holds the files as strings, part of the target.
# HEADER, <folder>/NAME.h below src/, declares the table: `struct NAME { const char *name; const char *text; }`,
# `extern const struct NAME NAMEs[]` and `extern const unsigned NAME_count`.
function(rigproof_embed target header)
    get_filename_component(name ${header} NAME_WE)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}s_embedded.c)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DHEADER=${header}" "-DNAME=${name}" "-DFILES=${ARGN}"
                -P ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
        DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
        VERBATIM)
    target_sources(${target} PRIVATE ${output})
endfunction()
