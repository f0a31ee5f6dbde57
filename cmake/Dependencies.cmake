# Libraries of the distribution; scripts/setup installs them. GL is opened at run time: nothing here links it.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

# 5.0 lacks aiGetVersionPatch, AI_MATKEY_BASE_COLOR and orthographic cameras. What later versions call themselves may be
# too low (5.2.3: 5.2.0), but not lower than this.
pkg_check_modules(ASSIMP REQUIRED IMPORTED_TARGET assimp>=5.1)
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
# The page of `review`. 0.9.73 has MHD_run_wait().
pkg_check_modules(MICROHTTPD REQUIRED IMPORTED_TARGET libmicrohttpd>=0.9.73)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(ZIP REQUIRED IMPORTED_TARGET libzip)
# Without it the import's process is limited in time and memory only (SECURITY.md).
pkg_check_modules(SECCOMP IMPORTED_TARGET libseccomp)

# Header-only.
find_path(CGLM_INCLUDE_DIR cglm/cglm.h REQUIRED)
find_path(STB_INCLUDE_DIR stb_image.h PATH_SUFFIXES stb REQUIRED)
find_path(GL_INCLUDE_DIR GL/glcorearb.h REQUIRED)
add_library(cglm_headers INTERFACE)
target_include_directories(cglm_headers SYSTEM INTERFACE ${CGLM_INCLUDE_DIR})
add_library(stb_headers INTERFACE)
target_include_directories(stb_headers SYSTEM INTERFACE ${STB_INCLUDE_DIR})
add_library(gl_headers INTERFACE)
target_include_directories(gl_headers SYSTEM INTERFACE ${GL_INCLUDE_DIR})
