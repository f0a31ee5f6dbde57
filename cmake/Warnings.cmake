# Flags of every target. Floating point is the point: no contraction to fused multiply-add, no fast-math, no
# -march=native, so that the same input gives the same palette on every machine and compiler.
add_library(rigproof_flags INTERFACE)
target_compile_options(rigproof_flags INTERFACE
    -ffp-contract=off -fno-math-errno -fno-trapping-math
    -Wall -Wextra -Wno-missing-field-initializers -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wundef -Wvla
    -Wpointer-arith -Wwrite-strings -Wformat=2)
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
    target_compile_options(rigproof_flags INTERFACE -Wno-format-truncation)
    # GCC 12.2 (Debian 12) for arm64 dies of a loop that takes the fmax() of floats as doubles ("in vect_transform_reduction").
    # Loops that matter are written in lanes.
    if(CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64 AND CMAKE_C_COMPILER_VERSION VERSION_LESS 12.3)
        target_compile_options(rigproof_flags INTERFACE -fno-tree-loop-vectorize)
    endif()
endif()
# Not -Wpedantic: before C23 it forbids passing a mat4 to a `const mat4` parameter, and const is worth more. Truncation
# is what snprintf is for: a message that is too long is cut.
# Nothing is exported: no name of ours may stand in for one that a library looks up.
target_compile_options(rigproof_flags INTERFACE -fvisibility=hidden)
target_include_directories(rigproof_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
# POSIX and what Linux adds to it, in every file alike.
target_compile_definitions(rigproof_flags INTERFACE _GNU_SOURCE)
# CMake's Release defines NDEBUG, and the asserts in the code under test are part of the test.
if(RIGPROOF_TESTS)
    target_compile_options(rigproof_flags INTERFACE -UNDEBUG)
endif()
if(RIGPROOF_WERROR)
    target_compile_options(rigproof_flags INTERFACE -Werror)
endif()
if(RIGPROOF_SANITIZE)
    target_compile_options(rigproof_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                                                    -fno-omit-frame-pointer)
    target_compile_definitions(rigproof_flags INTERFACE RIGPROOF_SANITIZE)
    target_link_options(rigproof_flags INTERFACE -fsanitize=address,undefined)
endif()
if(RIGPROOF_FUZZ)
    target_compile_options(rigproof_flags INTERFACE -fsanitize=fuzzer-no-link,float-cast-overflow)
endif()
if(RIGPROOF_COVERAGE)
    target_compile_options(rigproof_flags INTERFACE --coverage)
    target_compile_definitions(rigproof_flags INTERFACE RIGPROOF_COVERAGE)
    target_link_options(rigproof_flags INTERFACE --coverage)
endif()

# rigproof_stage(NAME SOURCES... LINK targets...): the static library of one folder of src/.
function(rigproof_stage name)
    cmake_parse_arguments(STAGE "" "" "SOURCES;LINK" ${ARGN})
    add_library(${name} STATIC ${STAGE_SOURCES})
    target_link_libraries(${name} PUBLIC rigproof_flags ${STAGE_LINK})
endfunction()
