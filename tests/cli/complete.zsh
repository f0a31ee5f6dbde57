# complete.zsh FOLDER: what an interactive zsh that has FOLDER/_rigproof offers for each line of stdin, as "LINE|WORD WORD...".
zmodload zsh/zpty
zpty shell zsh -f -i
say() { zpty -w shell $1 }
say "PS1= PS2=; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D"
say 'compadd() { local -a some; builtin compadd -O some "$@"; offers+=($some); builtin compadd "$@" }'
say 'offer() { offers=(); _main_complete; compstate[insert]= compstate[list]=; print -r -- "<$offers>" }'
say 'zle -C offer complete-word offer; bindkey "^I" offer; print READ""Y'
zpty -r shell said '*READY*'
while IFS= read -r line; do
    zpty -w -n shell $line$'\t'
    zpty -r shell said '*<*>*'
    zpty -w -n shell $'\x15'
    said=${said##*<}
    print -r -- "$line| ${said%%>*}"
done
zpty -d shell
