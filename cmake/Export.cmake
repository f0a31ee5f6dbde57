# What other projects find: the CMake package `rigproof` (rigproof::subject, rigproof::rigproof, rigproof_add_suite()) and
# pkg-config's `rigproof` and `rigproof-subject`. All is text that holds on every architecture and wherever the prefix is
# moved. `cmake --install build/release --component subject` installs this and the header for engines, not the program.
include(CMakePackageConfigHelpers)

add_library(rigproof_subject INTERFACE)
add_library(rigproof::subject ALIAS rigproof_subject)
set_target_properties(rigproof_subject PROPERTIES EXPORT_NAME subject)
target_include_directories(rigproof_subject INTERFACE
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

set(package_folder ${CMAKE_INSTALL_DATADIR}/cmake/rigproof)
set(package ${CMAKE_BINARY_DIR}/package) # as it is installed; that of the build folder lies beside the program
set(suite_files ${CMAKE_SOURCE_DIR}/cmake/package/rigproof-suite.cmake ${CMAKE_SOURCE_DIR}/cmake/package/rigproof-suite-tests.cmake)
set(program_folder ${CMAKE_INSTALL_BINDIR})
configure_package_config_file(cmake/package/rigproof-config.cmake.in ${package}/rigproof-config.cmake
    INSTALL_DESTINATION ${package_folder} PATH_VARS program_folder)
set(program_folder .)
configure_package_config_file(cmake/package/rigproof-config.cmake.in ${CMAKE_BINARY_DIR}/rigproof-config.cmake
    INSTALL_PREFIX ${CMAKE_BINARY_DIR} INSTALL_DESTINATION . PATH_VARS program_folder)
foreach(folder ${package} ${CMAKE_BINARY_DIR})
    write_basic_package_version_file(${folder}/rigproof-config-version.cmake
        VERSION ${PROJECT_VERSION} COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
endforeach()
file(COPY ${suite_files} DESTINATION ${CMAKE_BINARY_DIR})
export(TARGETS rigproof_subject NAMESPACE rigproof:: FILE ${CMAKE_BINARY_DIR}/rigproof-subject.cmake)

foreach(name rigproof rigproof-subject)
    file(RELATIVE_PATH prefix /prefix/${CMAKE_INSTALL_DATADIR}/pkgconfig /prefix)
    file(WRITE ${package}/${name}.pc "prefix=\${pcfiledir}/${prefix}\n")
endforeach()
file(APPEND ${package}/rigproof.pc "bindir=\${prefix}/${CMAKE_INSTALL_BINDIR}
rigproof=\${bindir}/rigproof
Name: rigproof
Description: ${PROJECT_DESCRIPTION}
Version: ${PROJECT_VERSION}
")
file(APPEND ${package}/rigproof-subject.pc "Name: rigproof-subject
Description: Header for programs that rigproof tests
Version: ${PROJECT_VERSION}
Cflags: -I\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}
")

install(TARGETS rigproof_subject EXPORT rigproof COMPONENT subject)
install(EXPORT rigproof NAMESPACE rigproof:: DESTINATION ${package_folder} FILE rigproof-subject.cmake COMPONENT subject)
install(FILES ${package}/rigproof-config.cmake ${package}/rigproof-config-version.cmake ${suite_files}
        DESTINATION ${package_folder} COMPONENT subject)
install(FILES ${package}/rigproof-subject.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig COMPONENT subject)
install(FILES ${package}/rigproof.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
install(FILES ${CMAKE_SOURCE_DIR}/include/rigproof_subject.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT subject)
