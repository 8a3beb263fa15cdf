#compdef vitrine
# zsh completion of vitrine
_vitrine() {
    local kind prefix line
    local -a lines candidates
    lines=("${(@f)$("${(Q)words[1]}" complete zsh -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    kind=${lines[1]%%$'\t'*}
    prefix=${lines[1]#*$'\t'}
    for line in "${(@)lines[2,-1]}"; do
        candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    done
    (( $#candidates )) && _describe -V 'vitrine' candidates
    case $kind in
        files) compset -P "${(b)prefix}"; _files ;;
        directories) compset -P "${(b)prefix}"; _files -/ ;;
    esac
}
if [[ $funcstack[1] == _vitrine ]]; then _vitrine "$@"; else compdef _vitrine vitrine; fi
