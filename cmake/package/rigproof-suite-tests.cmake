# What rigproof_add_suite() has written down, at the time of the tests: read by ctest it names the tests, run as a script
# (-Drigproof_run=ON) it is the one that checks the suite.
set(rigproof_check "${rigproof_program}" check "${rigproof_suite}" ${rigproof_options})
if(rigproof_run)
    file(REMOVE "${rigproof_output}/results.json") # of an earlier run
    execute_process(COMMAND ${rigproof_check} --output "${rigproof_output}" WORKING_DIRECTORY "${rigproof_folder}"
                    RESULT_VARIABLE rigproof_code)
    if(NOT rigproof_code MATCHES "^[01]$") # 1: cases fail, each in its own test
        message(FATAL_ERROR "the suite could not be run: rigproof check ended with ${rigproof_code}")
    endif()
    return()
endif()

set(rigproof_processors "${rigproof_jobs}")
if(NOT rigproof_processors)
    cmake_host_system_information(RESULT rigproof_processors QUERY NUMBER_OF_LOGICAL_CORES)
endif()
add_test("${rigproof_name}" "${rigproof_cmake}" -Drigproof_run=ON -P "${rigproof_script}")
set_tests_properties("${rigproof_name}" PROPERTIES FIXTURES_SETUP "rigproof-${rigproof_name}"
    PROCESSORS ${rigproof_processors} LABELS "${rigproof_labels}"
    ATTACHED_FILES "${rigproof_output}/report.html")
if(rigproof_timeout)
    set_tests_properties("${rigproof_name}" PROPERTIES TIMEOUT ${rigproof_timeout})
endif()

# Not --json: that opens every model. A line is name, model, clip, times, tags or `-`, remarks, with two blanks or more between.
execute_process(COMMAND ${rigproof_check} --list WORKING_DIRECTORY "${rigproof_folder}"
                OUTPUT_VARIABLE rigproof_list ERROR_VARIABLE rigproof_error RESULT_VARIABLE rigproof_code)
if(NOT rigproof_code EQUAL 0)
    message(FATAL_ERROR "The cases of ${rigproof_name} cannot be listed: ${rigproof_code} ${rigproof_error}")
endif()
string(REGEX REPLACE "[][;\\]" "_" rigproof_list "${rigproof_list}")
string(REPLACE "\n" ";" rigproof_list "${rigproof_list}")
foreach(rigproof_line IN LISTS rigproof_list)
    if(NOT rigproof_line MATCHES "^([a-z0-9@-]+) ")
        continue()
    endif()
    set(rigproof_case "${CMAKE_MATCH_1}")
    string(REGEX REPLACE "  +" ";" rigproof_columns "${rigproof_line}  -  -  -  -")
    list(GET rigproof_columns 4 rigproof_tags)
    string(REGEX REPLACE "^-$" "" rigproof_tags "${rigproof_tags}")
    string(REPLACE "," ";" rigproof_tags "${rigproof_tags}")
    set(rigproof_tags ${rigproof_labels} ${rigproof_tags})
    add_test("${rigproof_name}.${rigproof_case}" "${rigproof_program}" report "${rigproof_output}/results.json"
             --case "${rigproof_case}")
    set_tests_properties("${rigproof_name}.${rigproof_case}" PROPERTIES FIXTURES_REQUIRED "rigproof-${rigproof_name}"
        SKIP_RETURN_CODE 77 LABELS "${rigproof_tags}")
endforeach()
