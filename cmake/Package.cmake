# Packages, made by `cpack` in the build folder; scripts/package does it with the flags of the distribution.
#   cpack -G DEB   rigproof_VERSION_ARCHITECTURE.deb, which depends on libraries of the system it is built on
#   cpack -G TGZ   a folder to unpack anywhere, with the libraries that systems need not have; needs RIGPROOF_PORTABLE
option(RIGPROOF_PORTABLE "Find libraries in ../lib of the installed program, for the package TGZ" OFF)
set(RIGPROOF_MAINTAINER "the rigproof authors <rigproof@example.org>" CACHE STRING "Who packages: Name <address>")
set(RIGPROOF_RELEASE "1" CACHE STRING "Behind the version of a .deb: 1~deb12")

if(RIGPROOF_PORTABLE) # of the older kind, which also holds for libraries of libraries
    set_target_properties(rigproof PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
    target_link_options(rigproof PRIVATE -Wl,--disable-new-dtags)
endif()

set(CPACK_PACKAGE_NAME rigproof)
set(CPACK_PACKAGE_VENDOR "rigproof")
set(CPACK_PACKAGE_CONTACT "${RIGPROOF_MAINTAINER}")
set(CPACK_PACKAGE_FILE_NAME rigproof-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_MONOLITHIC_INSTALL ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/PackageFiles.cmake)
set(CPACK_RIGPROOF_SOURCE ${CMAKE_SOURCE_DIR})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE "${RIGPROOF_RELEASE}")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${RIGPROOF_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# Mesa is opened at run time. OSMesa is taken where it is installed; films but .apng need ffmpeg, pictures on terminals chafa.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libegl1, libegl-mesa0, libgl1-mesa-dri")
get_property(CPACK_RIGPROOF_OPENED GLOBAL PROPERTY OPENED_LATER) # dpkg-shlibdeps does not see them
foreach(file ${CPACK_RIGPROOF_OPENED})
    get_filename_component(real ${file} REALPATH)
    execute_process(COMMAND dpkg-query -S ${real} OUTPUT_VARIABLE owner ERROR_QUIET)
    if(owner MATCHES "^([^:,]+)")
        string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", ${CMAKE_MATCH_1}")
    endif()
endforeach()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libosmesa6, ffmpeg, chafa")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "headless render and regression tests for skeletal animation")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"rigproof imports a rigged model with Assimp, samples its clips, computes the
bone-matrix palette, skins the mesh with GLSL in an offscreen Mesa context,
and compares every stage with golden files. A failing test names the first
stage that changed, with the bone and the time.
.
It also tests other programs: engines and exporters that answer with their
matrices, vertices or pictures. The header for them is in this package, with
a CMake package and a pkg-config file.")
include(CPack)
