package enum Shell: String, Sendable, CaseIterable {
    case bash
    case zsh
    case fish
}

extension Shell {
    /// Returns the script that calls the program at each completion.
    func script(completing program: String) -> String {
        let function = "_" + String(program.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return switch self {
        case .bash: Self.bashScript(program, function)
        case .zsh: Self.zshScript(program, function)
        case .fish: Self.fishScript(program, function)
        }
    }

    private static func bashScript(_ program: String, _ function: String) -> String {
        #"""
        # bash completion of \#(program)
        \#(function)() {
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
        complete -F \#(function) \#(program)

        """#
    }

    private static func zshScript(_ program: String, _ function: String) -> String {
        #"""
        #compdef \#(program)
        # zsh completion of \#(program)
        \#(function)() {
            local kind prefix line
            local -a lines candidates
            lines=("${(@f)$("${(Q)words[1]}" complete zsh -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
            kind=${lines[1]%%$'\t'*}
            prefix=${lines[1]#*$'\t'}
            for line in "${(@)lines[2,-1]}"; do
                candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
            done
            (( $#candidates )) && _describe -V '\#(program)' candidates
            case $kind in
                files) compset -P "${(b)prefix}"; _files ;;
                directories) compset -P "${(b)prefix}"; _files -/ ;;
            esac
        }
        if [[ $funcstack[1] == \#(function) ]]; then \#(function) "$@"; else compdef \#(function) \#(program); fi

        """#
    }

    private static func fishScript(_ program: String, _ function: String) -> String {
        #"""
        # fish completion of \#(program)
        function _\#(function)
            set -l words (commandline -opc)
            set -l current (string unescape -- (commandline -ct)); or set current (commandline -ct | string trim -l -c \'\")
            set -l lines ($words[1] complete fish -- $words[2..-1] "$current" 2>/dev/null)
            set -l kind (string split -m 1 \t -- $lines[1])
            string join \n -- $lines[2..-1]
            switch $kind[1]
                case files directories
                    set -l path (string sub -s (math (string length -- "$kind[2]") + 1) -- "$current")
                    set -l list __fish_complete_path
                    test $kind[1] = directories; and set list __fish_complete_directories
                    for line in ($list "$path")
                        echo -- $kind[2]$line
                    end
            end
        end
        complete -c \#(program) -f -a '(_\#(function))'

        """#
    }
}
