# rigproof_subject.h for engines: the target rigproof::subject, installed with a CMake package and a pkg-config file.
# `cmake --install build/release --component subject` installs nothing else.
include(CMakePackageConfigHelpers)

add_library(rigproof_subject INTERFACE)
add_library(rigproof::subject ALIAS rigproof_subject)
set_target_properties(rigproof_subject PROPERTIES EXPORT_NAME subject)
target_include_directories(rigproof_subject INTERFACE
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

set(subject_package ${CMAKE_INSTALL_DATADIR}/cmake/rigproof)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/rigproof-config-version.cmake
    VERSION ${PROJECT_VERSION} COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
file(WRITE ${CMAKE_BINARY_DIR}/rigproof-subject.pc
"prefix=\${pcfiledir}/../..
Name: rigproof-subject
Description: Header for programs that rigproof tests
Version: ${PROJECT_VERSION}
Cflags: -I\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}
")
install(TARGETS rigproof_subject EXPORT rigproof COMPONENT subject)
install(EXPORT rigproof NAMESPACE rigproof:: DESTINATION ${subject_package} FILE rigproof-config.cmake COMPONENT subject)
install(FILES ${CMAKE_BINARY_DIR}/rigproof-config-version.cmake DESTINATION ${subject_package} COMPONENT subject)
install(FILES ${CMAKE_BINARY_DIR}/rigproof-subject.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig COMPONENT subject)
install(FILES ${CMAKE_SOURCE_DIR}/include/rigproof_subject.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT subject)
