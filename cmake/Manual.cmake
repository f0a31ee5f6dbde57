# Run after the build of rigproof: what PROGRAM says of itself, as files of OUTPUT: man/rigproof.1, man/rigproof-COMMAND.1,
# rigproof.bash, rigproof.fish, rigproof.zsh.
function(save file)
    execute_process(COMMAND ${PROGRAM} help ${ARGN} OUTPUT_FILE ${OUTPUT}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${OUTPUT}) # a command that is gone has no page
file(MAKE_DIRECTORY ${OUTPUT}/man)
save(man/rigproof.1 --man)
execute_process(COMMAND ${PROGRAM} --help OUTPUT_VARIABLE usage COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n  [a-z]+ " commands "${usage}")
foreach(line ${commands})
    string(STRIP ${line} command)
    save(man/rigproof-${command}.1 --man ${command})
endforeach()
foreach(shell bash fish zsh)
    save(rigproof.${shell} --completion ${shell})
endforeach()
