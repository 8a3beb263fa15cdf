import Arguments
import Testing

@Suite("Completion")
struct CompletionTests {
    @Test(
        "Completion offers the possible words at the cursor",
        arguments: [
            ("", "feed section publish db serve edit promote completion man help version"),
            ("f", "feed"), ("x", ""), ("feed|", "ls archive"), ("feed|l", "ls"), ("fed|", ""), ("db|", "migrate psql"),
            ("feed|ls|--", "--all --limit --label --output --verbose --help"), ("feed|ls|--a", "--all"), ("feed|ls|-", nil),
            ("feed|ls|--all|--a", ""), ("feed|ls|--label|a|--la", "--label"),
            ("feed|ls|--all|--", "--limit --label --output --verbose --help"),
            ("feed|ls|", "--all --limit --label --output --verbose --help"),
            ("-o|", "table wide json jsonl yaml csv name"), ("-o|js", "json jsonl"), ("--output|y", "yaml"),
            ("--output=", nil), ("--output=js", "--output=json --output=jsonl"), ("-ojs", "-ojson -ojsonl"), ("-vocs", "-vocsv"),
            ("-o|json|fe", "feed"), ("-o|", "table wide json jsonl yaml csv name"), ("--rev=", ""), ("--bogus=", ""),
            ("publish|", "today tv:kids new games"), ("publish|to", "today"), ("publish|tv:", "tv:kids"), ("publish|today|", nil),
            ("-v|publish|to", "today told"), ("publish|to|-", nil), ("publish|--|-", ""), ("publish|--|to", "today"),
            ("publish|--w", "--wait"), ("publish|--no", "--no-wait"), ("publish|--rev|", ""), ("publish|--rev|3|to", "today"),
            ("feed|archive|today|tv", "tv:kids"), ("help|", nil), ("help|d", "db"), ("help|db|", "migrate psql"),
            ("completion|", "bash zsh fish"), ("serve|--log-level|", "debug info error"), ("serve|--database", ""),
            ("db|--no-c", "--no-compress"), ("publish|--help|to", "today"),
        ] as [(String, String?)])
    func candidates(line: String, expected: String?) async {
        let completions = await Site.root.completions(for: words(line))
        let offered = completions.candidates.map(\.word).joined(separator: " ")
        if let expected { #expect(offered == expected) } else { #expect(!completions.candidates.isEmpty) }
        let current = words(line).last ?? ""
        #expect(completions.candidates.allSatisfy { $0.word.hasPrefix(current) })
    }

    @Test(
        "Completion of paths is left to the shell",
        arguments: [
            ("edit|", Completions.Paths.directories, "", ""), ("edit|dra", .directories, "", "dra"), ("edit|--file|", .files, "", ""),
            ("edit|--file=a/b", .files, "--file=", "a/b"), ("edit|-fa", .files, "-f", "a"), ("edit|--|a", .directories, "", "a"),
            ("feed|ls|", .none, "", ""),
        ])
    func paths(line: String, paths: Completions.Paths, prefix: String, start: String) async {
        let completions = await Site.root.completions(for: words(line))
        #expect(completions.paths == paths)
        #expect(completions.pathPrefix == prefix)
        #expect(completions.pathStart == start)
    }

    @Test("Commands, options and live keys are offered with descriptions")
    func descriptions() async {
        #expect(await Site.root.completions(for: ["pub"]).candidates == [CompletionCandidate("publish", "Publish a revision of a feed")])
        #expect(
            await Site.root.completions(for: ["-v", "publish", "tol"]).candidates == [CompletionCandidate("told", "Only when verbose.")])
    }

    @Test("A live hint gets the environment of the line")
    func environment() async {
        let completions = await Site.root.completions(for: ["publish", "tol"], environment: ["VITRINE_VERBOSE": "1"])
        #expect(completions.candidates.map(\.word) == ["told"])
    }

    @Test("The response to zsh and fish is the kind of paths and one line per candidate")
    func reply() async {
        #expect(await reply(["complete", "zsh", "--", "publish", "t"]) == "words\t\ntoday\tThe first tab.\ntv:kids\tFor children.\n")
        #expect(await reply(["complete", "fish", "--", "edit", "--file=x"]) == "files\t--file=\n")
    }

    @Test(
        "The response to bash is limited to the part that bash replaces",
        arguments: [
            ("vitrine publish tv:k", "words\t\nkids\n"), ("vitrine publish 'tv:k", "words\t\ntv:kids\n"),
            ("vitrine publish \"tv:", "words\t\ntv:kids\n"), ("vitrine publish tv\\:k", "words\t\ntv:kids\n"),
            ("vitrine publish new", "words\t\nnew\\ games\n"), ("vitrine publish \"new g", "words\t\nnew games\n"),
            ("vitrine publish new\\ g", "words\t\nnew\\ games\n"), ("vitrine --output=y", "words\t\nyaml\n"),
            ("vitrine --output='y", "words\t\nyaml\n"), ("vitrine publish \"to\"", "words\t\nday\n"),
            ("vitrine -o 'json' fe", "words\t\nfeed\n"),
            ("vitrine publish --from \"a b\" to", "words\t\ntoday\n"), ("vitrine edit --file=a/b", "files\ta/b\n"),
            ("vitrine edit --file=\"a b", "files\ta b\n"), ("vitrine edit --file=a\\ b", "files\ta b\n"), ("vitrine", "words\t\n"),
            ("vitrine edit --file=\"a\\b\\\"", "files\ta\\b\"\n"), ("vitrine publish '", "words\t\ntoday\ntv:kids\nnew games\n"),
        ])
    func bash(line: String, expected: String) async {
        #expect(await reply(["complete", "bash", "--", " \t\n\"'@><=;|&(:", line]).hasPrefix(expected))
    }

    private func words(_ line: String) -> [String] {
        line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }

    private func reply(_ arguments: [String]) async -> String {
        guard case .complete(let request) = Site.root.outcome(of: arguments) else { return "no request" }
        return await request.response()
    }
}
