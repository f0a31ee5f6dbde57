# Run by cpack on the installed files of a package before it is closed (cmake/Package.cmake).
set(root ${CPACK_TEMPORARY_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX})
set(packaging ${CPACK_RIGPROOF_SOURCE}/packaging)

execute_process(COMMAND strip --remove-section=.comment --remove-section=.note ${root}/bin/rigproof COMMAND_ERROR_IS_FATAL ANY)
file(COPY ${packaging}/copyright DESTINATION ${root}/share/doc/rigproof
     FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)

# As Debian's policy has it: compressed pages, and a changelog in its format. gzip -n notes no time.
if(CPACK_GENERATOR STREQUAL "DEB")
    file(GLOB pages ${root}/share/man/man1/*.1)
    execute_process(COMMAND gzip -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
    set(changelog ${root}/share/doc/rigproof/changelog.Debian)
    string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH, where it is set
    execute_process(
        COMMAND awk -v version=${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE} -v date=${date}
                -v maintainer=${CPACK_DEBIAN_PACKAGE_MAINTAINER} -f ${packaging}/changelog.awk
                ${CPACK_RIGPROOF_SOURCE}/CHANGELOG.md
        OUTPUT_FILE ${changelog} COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND gzip -9n ${changelog} COMMAND_ERROR_IS_FATAL ANY)
endif()

# Libraries come along but for those of the C library, of the compiler and of what every distribution's packages are unpacked
# with: Mesa, which is the system's, loads these too, and must not be given older ones. Each with its licence.
if(CPACK_GENERATOR STREQUAL "TGZ")
    set(base "lib(c|m|dl|rt|pthread|stdc\\+\\+|gcc_s|z|bz2|lzma|zstd)\\.so|ld-linux|linux-vdso")
    execute_process(COMMAND ldd ${root}/bin/rigproof ${CPACK_RIGPROOF_OPENED} OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^ \n\t]+ => /[^ \n]+" needed "${needed}")
    list(APPEND needed ${CPACK_RIGPROOF_OPENED})
    list(REMOVE_DUPLICATES needed)
    foreach(line ${needed})
        string(REGEX REPLACE ".* => " "" library ${line})
        get_filename_component(name ${library} NAME)
        if(name MATCHES "^(${base})")
            continue()
        endif()
        get_filename_component(real ${library} REALPATH)
        configure_file(${real} ${root}/lib/${name} COPYONLY)
        file(CHMOD ${root}/lib/${name} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
        execute_process(COMMAND strip --strip-unneeded ${root}/lib/${name} COMMAND_ERROR_IS_FATAL ANY)
        execute_process(COMMAND dpkg-query -S ${real} OUTPUT_VARIABLE package ERROR_QUIET)
        string(REGEX REPLACE "[:,].*" "" package "${package}")
        if(package AND EXISTS /usr/share/doc/${package}/copyright)
            configure_file(/usr/share/doc/${package}/copyright ${root}/share/doc/rigproof/libraries/${package} COPYONLY)
        endif()
    endforeach()
endif()
