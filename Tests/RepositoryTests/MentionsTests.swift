import Testing

@Suite("The mentions of documents")
struct MentionsTests {
    @Test(
        "A command is found with its words and options",
        arguments: [
            ("vitrine serve", "serve", ""),
            ("$ vitrine db migrate --dry-run", "db migrate", "--dry-run"),
            (".build/debug/vitrine settings -o json | head", "settings", ""),
            ("VITRINE_LOG_LEVEL=debug vitrine dev --listen=127.0.0.1:0 --port 1", "dev", "--listen --port"),
            ("vitrine publish FEED --from T > log", "publish", "--from"),
            ("vitrine db psql -- --csv -c report", "db psql", ""),
            ("vitrine", "", ""),
        ])
    func commands(line: String, text: String, options: String) throws {
        let command = try #require(MentionedCommand(line))
        #expect(command.parameters.joined(separator: " ") == text)
        #expect(command.options.joined(separator: " ") == options)
    }

    @Test("Another program is not taken for vitrine", arguments: ["make dev", "docker run vitrine serve", "vitrines", "", "# vitrine"])
    func otherPrograms(line: String) {
        #expect(MentionedCommand(line) == nil)
    }

    static let document = References(
        """
        Run `make dev`, then vitrine serve and make haste; `scripts/fuzz json 5` reads `Tests/Fuzz` and `sql/`.

        ```sh
        make bench ONLY=json
        vitrine db url
        ```
        `vitrine db psql` takes `VITRINE_DATABASE_URL_FILE`, not `.build/debug`; see [the rules](sql/README.md).
        """)

    @Test("Code in backticks and blocks is read, and prose is not")
    func code() {
        #expect(Self.document.makeTargets == ["dev", "bench"])
        #expect(Self.document.commands == [MentionedCommand(arguments: ["db", "url"]), MentionedCommand(arguments: ["db", "psql"])])
        #expect(Self.document.paths == ["scripts/fuzz", "Tests/Fuzz", "sql"])
        #expect(Self.document.environmentNames == ["VITRINE_DATABASE_URL_FILE"])
    }

    @Test("The packages, commands, ports, paths and secrets of a deployment are read")
    func deployment() {
        let deployment = Deployment(
            image: References(
                """
                FROM swift AS build
                RUN apt-get install --yes compiler
                COPY a/b ./
                FROM debian
                RUN apt-get update \\
                    && apt-get install --yes one two \\
                    && rm -rf x
                COPY --from=build /vitrine /vitrine
                ENV VITRINE_LISTEN=0.0.0.0:81
                EXPOSE 80
                CMD ["serve", "--workers=1"]
                """),
            compose: References(
                #"""
                    command: ["db", "migrate"]
                      test: ["CMD", "vitrine", "doctor", "--output", "json"]
                      URL: /run/secrets/some-url
                      - "127.0.0.1:${PORT:-83}:82"
                      - ./config/some-file:/some-file:ro
                """#))
        #expect(deployment.packages == ["one", "two"])
        #expect(deployment.buildPackages == ["compiler"])
        #expect(
            deployment.commands == [
                MentionedCommand(arguments: ["serve"], options: ["--workers"]), MentionedCommand(arguments: ["db", "migrate"]),
                MentionedCommand(arguments: ["doctor"], options: ["--output"]),
            ])
        #expect(deployment.copied == ["a/b"])
        #expect(deployment.ports == ["80", "81", "82"])
        #expect(deployment.secretsRead == ["some-url"] && deployment.mounted == ["config/some-file"])
    }

    @Test("The sections of a package list are read")
    func packages() {
        let list = PackageList("# all\n[run]\none\n\n# two of them\n[test]\ntwo\nthree\n")
        #expect(list.sections == ["run": ["one"], "test": ["two", "three"]])
    }
}
