# bash completion of vitrine
_vitrine() {
    local program=${1/#\~\//$HOME/} reply kind path
    COMPREPLY=()
    {
        IFS=$'\t' read -r kind path
        while IFS= read -r reply; do COMPREPLY+=("$reply"); done
    } < <("$program" complete bash -- "$COMP_WORDBREAKS" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
    case $kind in
        files) compopt -o filenames 2>/dev/null; set -- -f ;;
        directories) compopt -o filenames 2>/dev/null; set -- -d ;;
        *) return ;;
    esac
    while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(compgen "$1" -- "$path")
}
complete -F _vitrine vitrine
