# Completes rigproof's command line in fish; made by `rigproof help --completion fish`.

function __rigproof_command # NAME: whether the command line is of that command
    set -l words (commandline -poc)
    test (count $words) -gt 1; and test "$words[2]" = $argv[1]
end

function __rigproof_first
    test (count (commandline -poc)) -eq 1
end

function __rigproof_files # EXTENSIONS: files that end so, and folders
    __fish_complete_path (commandline -ct) | string match -r '^[^\t]*(?:/|\.(?:'(string join '|' $argv)'))(?:\t.*)?$'
end

function __rigproof_list # WORDS: several with commas between
    set -l head (string replace -r '[^,]*$' '' -- (commandline -ct))
    printf '%s\n' $head$argv
end

function __rigproof_cases # of the suite on the command line
    set -l words (commandline -poc)
    $words[1] check (string match -r '.*\.ya?ml$' -- $words)[1] --list 2>/dev/null | string replace -r ' .*' ''
end

function __rigproof_names # KIND: clips or bones of the model on the command line
    set -l words (commandline -poc)
    for model in $words[3..]
        if test -f $model
            $words[1] inspect $model --names $argv[1] 2>/dev/null
            return
        end
    end
end

function __rigproof_add # COMMAND NAMES VALUES HELP: a line of the table
    set -l values (string split -m 1 ' ' -- $argv[3])
    set -l options
    for name in (string split , -- $argv[2])
        switch $name
            case '--*'
                set -a options -l (string sub -s 3 -- $name)
            case '-?'
                set -a options -s (string sub -s 2 -- $name)
        end
    end
    switch $values[1]
        case words
            set -l bones
            if string match -q '* weight:' " $values[2]"
                set bones "(string replace -r '^' weight: -- (__rigproof_names bones))"
            end
            set -a options -x -a "$values[2] $bones"
        case list
            set -a options -x -a "(__rigproof_list $values[2])"
        case files
            if set -q values[2]
                set -a options -x -a "(__rigproof_files $values[2])"
            else
                set -a options -r -F
            end
        case folders
            set -a options -x -a '(__fish_complete_directories (commandline -ct))'
        case cases
            set -a options -x -a '(__rigproof_cases)'
        case engines
            set -a options -x -a '(rigproof engine --names 2>/dev/null)'
        case clips bones
            set -a options -x -a "(__rigproof_names $values[1])"
        case none
            set -a options -x
    end
    complete -c rigproof -n "__rigproof_command $argv[1]" -d $argv[4] $options
end

complete -c rigproof -f
string split \n '
@TABLE@
' | while read -l -d \t name names values help
    if test "$names" = -
        complete -c rigproof -n __rigproof_first -a $name -d $help
    else if test "$names" = '*'
        __rigproof_add $name $names $values ''
    else if test -n "$names"
        __rigproof_add $name $names $values $help
    end
end
