# Libraries of the distribution; scripts/setup installs them. GL is opened at run time: nothing here links it.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

# 5.0 lacks aiGetVersionPatch, AI_MATKEY_BASE_COLOR and orthographic cameras. What later versions call themselves may be
# too low (5.2.3: 5.2.0), but not lower than this.
pkg_check_modules(ASSIMP REQUIRED IMPORTED_TARGET assimp>=5.1)
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(EXPAT REQUIRED IMPORTED_TARGET expat)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
# The page of `review`. 0.9.73 has MHD_run_wait().
pkg_check_modules(MICROHTTPD REQUIRED libmicrohttpd>=0.9.73)
# What `check --cache` has written is known by a keyed hash.
pkg_check_modules(SODIUM REQUIRED libsodium)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(ZIP REQUIRED libzip)
# Without it the import's process is limited in time and memory only (SECURITY.md).
pkg_check_modules(SECCOMP IMPORTED_TARGET libseccomp)

# Header-only.
find_path(CGLM_INCLUDE_DIR cglm/cglm.h REQUIRED)
find_path(STB_INCLUDE_DIR stb_image.h PATH_SUFFIXES stb REQUIRED)
# The font of words in pictures is part of the program. It is that of the building machine, for any other.
find_file(DEJAVU_SANS_FONT DejaVuSans.ttf PATHS /usr/share/fonts /usr/local/share/fonts
          PATH_SUFFIXES truetype/dejavu TTF dejavu dejavu-sans-fonts truetype
          NO_CMAKE_FIND_ROOT_PATH REQUIRED)
find_path(GL_INCLUDE_DIR GL/glcorearb.h REQUIRED)
add_library(cglm_headers INTERFACE)
target_include_directories(cglm_headers SYSTEM INTERFACE ${CGLM_INCLUDE_DIR})
add_library(stb_headers INTERFACE)
target_include_directories(stb_headers SYSTEM INTERFACE ${STB_INCLUDE_DIR})
add_library(gl_headers INTERFACE)
target_include_directories(gl_headers SYSTEM INTERFACE ${GL_INCLUDE_DIR})

# rigproof_open_later(TARGET NAME): TARGET opens the library of pkg_check_modules(NAME) when it needs it (base/shared_library.h) and links
# nothing. NAME_FILES is what it opens: the name that the dynamic linker knows it by, and, for one that lies where that does not
# look, the file. Packages name such libraries themselves: OPENED_LATER (cmake/Package.cmake).
function(rigproof_open_later target name)
    list(GET ${name}_LINK_LIBRARIES 0 file)
    execute_process(COMMAND ${CMAKE_READELF} -d ${file} OUTPUT_VARIABLE dynamic ERROR_QUIET)
    if(NOT dynamic MATCHES "SONAME[^[]*\\[([^]]+)\\]")
        message(FATAL_ERROR "${file} is no shared library")
    endif()
    set(soname ${CMAKE_MATCH_1})
    get_filename_component(folder ${file} DIRECTORY)
    target_include_directories(${target} SYSTEM PRIVATE ${${name}_INCLUDE_DIRS})
    target_compile_definitions(${target} PRIVATE ${name}_FILES="${soname}:${folder}/${soname}")
    set_property(GLOBAL APPEND PROPERTY OPENED_LATER ${folder}/${soname})
endfunction()
