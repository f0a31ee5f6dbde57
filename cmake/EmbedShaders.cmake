# rigproof_embed_shaders(TARGET FILES...): makes shaders_embedded.c, which holds the GLSL files as strings, part of the
# target. The interface is draw/shader_source.h.
function(rigproof_embed_shaders target)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/shaders_embedded.c)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DFILES=${ARGN}" -P ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
        DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake
        VERBATIM)
    target_sources(${target} PRIVATE ${output})
endfunction()
