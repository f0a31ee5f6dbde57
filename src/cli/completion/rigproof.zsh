#compdef rigproof
# Completes rigproof's command line in zsh; made by `rigproof help --completion zsh`.

# Cases of the suite on the command line. _call_program evaluates its words: a file may be called `$(...)`.
_rigproof_cases()
{
    local suite=${words[(r)*.y(a|)ml]}
    compadd -- ${${(f)"$(_call_program cases ${(q)${(Q)program}} check ${suite:+${(q)${(Q)suite}}} --list 2>/dev/null)"}%% *}
}

_rigproof_engines()
{
    compadd -- ${(f)"$(_call_program engines ${(q)${(Q)program}} engine --names 2>/dev/null)"}
}

# Clips or bones of the model on the command line: its first word that is a file.
_rigproof_names()
{
    local model
    for model in ${words[2,-1]}; do
        if [[ -f ${(Q)model} ]]; then
            compadd -- ${(f)"$(_call_program names ${(q)${(Q)program}} inspect ${(q)${(Q)model}} --names $1 2>/dev/null)"}
            return
        fi
    done
}

# Words, and bones behind `weight:`.
_rigproof_views()
{
    if compset -P weight:; then
        _rigproof_names bones
    else
        compadd -- ${@:#weight:}
        compadd -S '' -- weight:
    fi
}

# What _arguments is to do for a value or an operand, after its name; a blank before a function keeps words of its own away from it.
_rigproof_action()
{
    case $2 in
        (flag) reply= ;;
        (*' weight:') reply=":$1: _rigproof_views ${2#words}" ;;
        (words*) reply=":$1:(${2#words})" ;;
        (list*) reply=":$1:_values -s , value ${2#list}" ;;
        (files) reply=":$1:_files" ;;
        (files*) reply=":$1:_files -g '*.(${${2#files }// /|})'" ;;
        (folders) reply=":$1:_files -/" ;;
        (cases) reply=":$1:_rigproof_cases" ;;
        (engines) reply=":$1:_rigproof_engines" ;;
        (clips|bones) reply=":$1: _rigproof_names $2" ;;
        (*) reply=":$1: " ;;
    esac
}

_rigproof()
{
    local table line reply name help program=$words[1] command=$words[2]
    local -a commands arguments fields
    table='
@TABLE@
'
    for line in ${(f)table}; do
        fields=("${(@s:	:)line}")
        if [[ $fields[2] == - ]]; then
            commands+=("$fields[1]:$fields[4]")
        elif [[ $fields[1] == $command ]]; then
            _rigproof_action value $fields[3]
            help=${${fields[4]//\[/\\[}//\]/\\]}
            if [[ $fields[2] == '*' ]]; then
                arguments+=("*$reply")
            else
                for name in ${(s:,:)fields[2]}; do
                    [[ $fields[3] == flag ]] || [[ $name != --* ]] || name+==
                    [[ $fields[3] == flag ]] || [[ $name == --* ]] || name+=+
                    arguments+=("*${name}[$help]$reply")
                done
            fi
        fi
    done
    if ((CURRENT == 2)); then
        _describe command commands
    else
        shift words
        ((CURRENT--))
        _arguments $arguments
    fi
}

_rigproof "$@"
