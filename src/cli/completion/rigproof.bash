# Completes rigproof's command line in bash; made by `rigproof help --completion bash`.
# Global, because bash-completion reads this file in a function.
declare -gA _rigproof_rows=() # of each command, a line each: names, values, explanation
while IFS=$'\t' read -r _rigproof_name _rigproof_row; do
    [[ -z $_rigproof_name ]] || _rigproof_rows[$_rigproof_name]+=$_rigproof_row$'\n'
done <<<'
@TABLE@
'
unset _rigproof_name _rigproof_row

# Files with these extensions, or any without, and folders.
_rigproof_files()
{
    local file
    compopt -o filenames 2>/dev/null
    while IFS= read -r file; do
        if [[ -z $1 || -d $file || " $1 " == *" ${file##*.} "* ]]; then
            COMPREPLY+=("$file")
        fi
    done < <(compgen -f -- "$2")
}

# The first words of what rigproof prints with these arguments, of those that mean nothing to a shell.
_rigproof_first_words()
{
    local word=$1 name
    shift
    while read -r name _; do
        [[ -n $name && $name == "$word"* && $name != *[!A-Za-z0-9_.@/-]* ]] && COMPREPLY+=("$name")
    done < <("${COMP_WORDS[0]}" "$@" 2>/dev/null)
}

# Cases of the suite on the command line, else of the one here.
_rigproof_cases()
{
    local suite words=()
    for suite in "${COMP_WORDS[@]:2}"; do
        [[ $suite == *.y*ml ]] && words=("${suite/#\~\//$HOME/}")
    done
    _rigproof_first_words "$1" check "${words[@]}" --list
}

# Clips or bones of the model on the command line, whose extension is one of these. bash parts what is typed at colons: what is before the
# last one stays as it is.
_rigproof_names()
{
    local kind=$1 word=$2 model name typed=${COMP_LINE:0:${COMP_POINT:-0}} before=
    shift 2
    typed=${typed##*[ =]}
    [[ $typed != weight:* ]] || typed=${typed#weight:} word=${typed#weight:}
    if [[ $typed == *:* ]]; then
        before=${typed%:*}:
        word=${typed##*:}
    fi
    for model in "${COMP_WORDS[@]:2}"; do
        if [[ " $* " == *" ${model##*.} "* && -f ${model/#\~\//$HOME/} ]]; then
            while IFS= read -r name; do
                [[ $name == "$before$word"* && $name != *[!A-Za-z0-9_.:@/-]* ]] && COMPREPLY+=("${name#"$before"}")
            done < <("${COMP_WORDS[0]}" inspect "${model/#\~\//$HOME/}" --names "$kind" 2>/dev/null)
            return
        fi
    done
}

_rigproof()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local options values wanted='' operands='' names='' at=$COMP_CWORD
    COMPREPLY=()
    # bash parts words at `=` and `:`.
    while ((at > 2)) && [[ ${COMP_WORDS[at]} == [=:] || ${COMP_WORDS[at - 1]} == [=:] ]]; do
        before=${COMP_WORDS[--at]}
    done
    [[ $before == --* ]] || before=${COMP_WORDS[at - 1]}
    [[ $word != [=:] ]] || word=
    while IFS=$'\t' read -r options values _; do
        if [[ $options == '*' ]]; then
            operands=$values
        elif [[ $options == *--* ]]; then
            names+=" --${options##*--}"
            [[ $values == flag || -z $before || ",$options," != *",$before,"* ]] || wanted=$values
        fi
    done <<<"${_rigproof_rows[${command:--}]-}"
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "${!_rigproof_rows[*]} --help --version" -- "$word")
        return
    elif [[ -z $wanted && $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word")
        return
    fi
    wanted=${wanted:-$operands}
    [[ " $wanted " != *' weight: '* || ${COMP_LINE:0:${COMP_POINT:-0}} != *[\ =]weight:* ]] || wanted=bones
    case $wanted in
    words*) mapfile -t COMPREPLY < <(compgen -W "${wanted#words}" -- "$word") ;;
    list*) mapfile -t COMPREPLY < <(compgen -P "${word%"${word##*,}"}" -W "${wanted#list}" -- "${word##*,}") ;;
    files*) _rigproof_files "${wanted#files}" "$word" ;;
    folders)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$word")
        ;;
    cases) _rigproof_cases "$word" ;;
    engines) _rigproof_first_words "$word" engine --names ;;
    clips | bones) _rigproof_names "$wanted" "$word" ${operands#files} ;;
    esac
}
complete -F _rigproof rigproof
