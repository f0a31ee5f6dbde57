# rigproof_add_suite(NAME SUITE [GOLDENS DIR] [JOBS N] [TIMEOUT SECONDS] [WORKING_DIRECTORY DIR] [LABELS LABEL...]
#                    [SUBJECT [SUBJECT=]TARGET...] [ARGS OPTION...])
#
# The test NAME runs `rigproof check SUITE` once; NAME.CASE, one for each case, says what came of that case and passes or fails
# with it. NAME is the fixture of the others, so `ctest -R NAME.CASE` runs it, too: always the whole suite. Results, report
# and candidates are in rigproof/NAME of the build folder. The target rigproof_accept_NAME makes the current results the goldens.
#
#   GOLDENS            in place of the suite's
#   JOBS               worker processes, which count as so many processors of `ctest -j` (default the cores)
#   TIMEOUT            seconds for the whole run; of a case `ARGS --timeout S` is
#   WORKING_DIRECTORY  where the program runs (default the current source folder)
#   LABELS             of all these tests; a case has its tags besides
#   SUBJECT            a target that is the program of the suite's subject of that name, or of SUBJECT: the suite's programs
#                      are allowed to run then
#   ARGS               further options of `check`
#
# Which cases there are is asked when ctest starts, as models and programs that the build makes exist then and no change of a
# suite or model needs another run of CMake.
function(rigproof_add_suite name suite)
    cmake_parse_arguments(PARSE_ARGV 2 given "" "GOLDENS;JOBS;TIMEOUT;WORKING_DIRECTORY" "LABELS;SUBJECT;ARGS")
    if(given_UNPARSED_ARGUMENTS OR given_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "rigproof_add_suite(${name}): cannot use `${given_UNPARSED_ARGUMENTS}${given_KEYWORDS_MISSING_VALUES}`")
    elseif(NOT TARGET rigproof::rigproof)
        message(FATAL_ERROR "rigproof_add_suite(${name}): the program rigproof was not found; -DRIGPROOF_PROGRAM=FILE names it")
    endif()
    get_filename_component(folder "${given_WORKING_DIRECTORY}" ABSOLUTE)
    get_filename_component(suite "${suite}" ABSOLUTE)
    file(RELATIVE_PATH below "${folder}" "${suite}")
    if(NOT below MATCHES "^\\.\\.") # as a person there would type it
        set(suite "${below}")
    endif()
    set(options "${given_ARGS}")
    set(targets "")
    foreach(subject IN LISTS given_SUBJECT)
        string(REGEX REPLACE "^.*=" "" target "${subject}")
        string(REGEX REPLACE "=.*$" "" subject "${subject}")
        list(APPEND options --program "${subject}=$<TARGET_FILE:${target}>")
        list(APPEND targets "${target}")
    endforeach()
    if(targets)
        list(APPEND options --allow-subjects)
    endif()
    if(given_GOLDENS)
        get_filename_component(goldens "${given_GOLDENS}" ABSOLUTE)
        list(APPEND options --goldens "${goldens}")
    endif()
    if(given_JOBS)
        list(APPEND options --jobs "${given_JOBS}")
    endif()

    set(output "${CMAKE_CURRENT_BINARY_DIR}/rigproof/${name}")
    get_property(is_multi GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    file(GENERATE OUTPUT "${output}$<$<BOOL:${is_multi}>:-$<CONFIG>>.cmake" CONTENT "# Read by ctest, and run by its test `${name}`.
set(rigproof_name [==[${name}]==])
set(rigproof_program [==[$<TARGET_FILE:rigproof::rigproof>]==])
set(rigproof_suite [==[${suite}]==])
set(rigproof_options [==[${options}]==])
set(rigproof_folder [==[${folder}]==])
set(rigproof_output [==[${output}]==])
set(rigproof_jobs [==[${given_JOBS}]==])
set(rigproof_timeout [==[${given_TIMEOUT}]==])
set(rigproof_labels [==[${given_LABELS}]==])
set(rigproof_cmake [==[${CMAKE_COMMAND}]==])
set(rigproof_script \"\${CMAKE_CURRENT_LIST_FILE}\")
include([==[${CMAKE_CURRENT_FUNCTION_LIST_DIR}/rigproof-suite-tests.cmake]==])
")
    if(is_multi) # of the configuration that `ctest -C` names
        file(WRITE "${output}.cmake" "include(\"${output}-\${CTEST_CONFIGURATION_TYPE}.cmake\" OPTIONAL)\n")
    endif()
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${output}.cmake")

    list(REMOVE_ITEM options --strict --fail-fast) # of `check` alone
    add_custom_target(rigproof_accept_${name}
        COMMAND rigproof::rigproof accept "${suite}" ${options} --output "${output}/accept"
        WORKING_DIRECTORY "${folder}" USES_TERMINAL VERBATIM)
    if(targets)
        add_dependencies(rigproof_accept_${name} ${targets})
    endif()
endfunction()

# rigproof_add_conformance(NAME PROGRAM COMMAND|TARGET [ARGUMENT...] [EXPECT FILE] [RULE GLOB...] [RANDOM N] [SEED N] [TIMEOUT SECONDS]
#                          [LABELS LABEL...] [ARGS OPTION...])
#
# The test NAME runs `rigproof conform PROGRAM`: a program that speaks the protocol of subjects, or a target of the build with its
# arguments. It fails where something fails that the file EXPECT does not list, or passes in spite of it. The scorecard is in
# rigproof/NAME of the build folder.
function(rigproof_add_conformance name)
    cmake_parse_arguments(PARSE_ARGV 1 given "" "EXPECT;RANDOM;SEED;TIMEOUT" "PROGRAM;RULE;LABELS;ARGS")
    if(given_UNPARSED_ARGUMENTS OR given_KEYWORDS_MISSING_VALUES OR NOT given_PROGRAM)
        message(FATAL_ERROR "rigproof_add_conformance(${name}): cannot use `${given_UNPARSED_ARGUMENTS}${given_KEYWORDS_MISSING_VALUES}`, "
                            "and needs PROGRAM")
    elseif(NOT TARGET rigproof::rigproof)
        message(FATAL_ERROR "rigproof_add_conformance(${name}): the program rigproof was not found; -DRIGPROOF_PROGRAM=FILE names it")
    endif()
    list(GET given_PROGRAM 0 program)
    if(TARGET ${program})
        list(REMOVE_AT given_PROGRAM 0)
        list(INSERT given_PROGRAM 0 $<TARGET_FILE:${program}>)
    endif()
    string(REPLACE ";" " " command "${given_PROGRAM}")
    set(options --output "${CMAKE_CURRENT_BINARY_DIR}/rigproof/${name}" ${given_ARGS})
    foreach(rule IN LISTS given_RULE)
        list(APPEND options --rule "${rule}")
    endforeach()
    foreach(option RANDOM SEED)
        if(DEFINED given_${option})
            string(TOLOWER "${option}" lower)
            list(APPEND options --${lower} "${given_${option}}")
        endif()
    endforeach()
    if(given_EXPECT)
        get_filename_component(expect "${given_EXPECT}" ABSOLUTE)
        list(APPEND options --expect "${expect}")
    endif()
    add_test(NAME "${name}" COMMAND rigproof::rigproof conform "${command}" ${options} WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    set_tests_properties("${name}" PROPERTIES LABELS "${given_LABELS}")
    if(given_TIMEOUT)
        set_tests_properties("${name}" PROPERTIES TIMEOUT ${given_TIMEOUT})
    endif()
endfunction()
