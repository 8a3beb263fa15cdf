# fish completion of vitrine
function __vitrine
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
complete -c vitrine -f -a '(__vitrine)'
