import Arguments
import Testing

@Suite("The parser of command lines")
struct ParsingTests {
    @Test(
        "A command gets its values",
        arguments: [
            ("feed ls", "vitrine feed ls"),
            ("feed ls --all", "vitrine feed ls all=yes"),
            ("feed ls -a", "vitrine feed ls all=yes"),
            ("feed ls -a -a", "vitrine feed ls all=yes"),
            ("feed ls --limit 7", "vitrine feed ls limit=7"),
            ("feed ls --limit=7", "vitrine feed ls limit=7"),
            ("feed ls -n 7", "vitrine feed ls limit=7"),
            ("feed ls -n7", "vitrine feed ls limit=7"),
            ("feed ls -n=7", "vitrine feed ls limit=7"),
            ("feed ls -an7", "vitrine feed ls all=yes limit=7"),
            ("feed ls -avn 7", "vitrine feed ls all=yes limit=7 verbose=yes"),
            ("feed ls -avo json", "vitrine feed ls all=yes output=json verbose=yes"),
            ("feed ls --label a=b", "vitrine feed ls label=a=b"),
            ("feed ls --label=a=b -l c -ld", "vitrine feed ls label=a=b+c+d"),
            ("-o json feed ls", "vitrine feed ls output=json"),
            ("feed -o json ls", "vitrine feed ls output=json"),
            ("feed ls -ojson", "vitrine feed ls output=json"),
            ("--output=csv feed ls --all", "vitrine feed ls all=yes output=csv"),
            ("-v feed ls", "vitrine feed ls verbose=yes"),
            ("publish today", "vitrine publish feed=today"),
            ("publish --rev 3 today", "vitrine publish feed=today rev=3"),
            ("publish today --rev 3", "vitrine publish feed=today rev=3"),
            ("publish --no-wait today", "vitrine publish feed=today wait=no"),
            ("publish today --wait", "vitrine publish feed=today"),
            ("publish today --timeout 500ms", "vitrine publish feed=today timeout=0.5 seconds"),
            ("publish today --timeout=2m", "vitrine publish feed=today timeout=120.0 seconds"),
            ("publish -- --rev", "vitrine publish feed=--rev"),
            ("publish --rev 3 -- -x", "vitrine publish feed=-x rev=3"),
            ("publish -", "vitrine publish feed=-"),
            ("publish today --from -", "vitrine publish feed=today from=-"),
            ("publish today --from=-x", "vitrine publish feed=today from=-x"),
            ("publish today --from=--rev", "vitrine publish feed=today from=--rev"),
            ("publish today --from a=b", "vitrine publish feed=today from=a=b"),
            ("publish feed", "vitrine publish feed=feed"),
            ("publish publish", "vitrine publish feed=publish"),
            ("section move today hero", "vitrine section move feed=today section=hero"),
            ("section move today hero 3", "vitrine section move feed=today section=hero position=3"),
            ("section move today hero -1", "vitrine section move feed=today section=hero position=-1"),
            ("section move today hero --offset -2", "vitrine section move feed=today section=hero offset=-2"),
            ("section move --offset=-2 today hero", "vitrine section move feed=today section=hero offset=-2"),
            ("section move today -- hero -1", "vitrine section move feed=today section=hero position=-1"),
            ("promote a b c --from-shop staging", "vitrine promote from=staging feeds=a+b+c"),
            ("promote a --from-shop staging b", "vitrine promote from=staging feeds=a+b"),
            ("db psql", "vitrine db psql rest="),
            ("db psql -- -c select", "vitrine db psql rest=-c+select"),
            ("db psql a --verbose", "vitrine db psql rest=a verbose=yes"),
            ("db psql a -- -- b", "vitrine db psql rest=a+--+b"),
            ("db new-epoch", "vitrine db new-epoch"),
            ("edit drafts -f -", "vitrine edit dir=drafts file=-"),
            ("serve --listen 0.0.0.0:80", "vitrine serve listen=0.0.0.0:80"),
            ("serve --no-compress", "vitrine serve compress=false"),
            ("serve --log-level anything", "vitrine serve log-level=anything"),
            ("db --log-level debug migrate", "vitrine db migrate log-level=debug"),
            ("db migrate --log-level debug", "vitrine db migrate log-level=debug"),
        ])
    func values(line: String, outline: String) {
        #expect(Site.outline(line.split(separator: " ").map(String.init)) == outline)
    }

    @Test(
        "A request for help or the version is answered at any position",
        arguments: [
            ("--help", "text: Serve and edit an app catalog"), ("-h", "text: Serve and edit an app catalog"),
            ("feed --help", "text: List and edit feeds"), ("feed ls -h", "text: List feeds"),
            ("--help publish", "text: Publish a revision of a feed"), ("publish --rev --help", "text: Publish a revision of a feed"),
            ("publish --bogus -h", "text: Publish a revision of a feed"), ("publish -vh", "text: Publish a revision of a feed"),
            ("help", "text: Serve and edit an app catalog"), ("help db psql", "text: Open psql"),
            ("help feed", "text: List and edit feeds"), ("--version", "text: vitrine 1.2.3"), ("version", "text: vitrine 1.2.3"),
            ("feed ls --version", "text: vitrine 1.2.3"), ("db psql -- --help", "vitrine db psql rest=--help"),
            ("complete bash -- : x", "complete"),
        ])
    func help(line: String, outline: String) {
        #expect(Site.outline(line.split(separator: " ").map(String.init)) == outline)
    }

    @Test(
        "Every issue of a line is named",
        arguments: [
            ("", "missingCommand"), ("feed", "missingCommand"), ("-o json", "missingCommand"),
            ("feed --bogus", "unknownOption missingCommand"),
            ("fed ls", "unknownCommand"), ("feed la", "unknownCommand"), ("help fed", "unknownCommand"), ("fed --bogus", "unknownCommand"),
            ("publish", "missingArgument"), ("publish today now", "unexpectedArgument"), ("publish a b c", "unexpectedArgument"),
            ("promote --from-shop x", "missingArgument"), ("promote a", "missingOption"), ("promote", "missingOption missingArgument"),
            ("publish today --revision 3", "unknownOption"), ("publish today -x", "unknownOption"),
            ("publish today -vx", "unknownOption"), ("publish today --=x", "unknownOption"),
            ("publish today ---", "unknownOption"), ("publish today --rev", "missingValue"), ("publish today --rev --wait", "missingValue"),
            ("publish today --rev --", "missingValue"), ("feed ls -an", "missingValue"), ("publish today --wait=no", "unexpectedValue"),
            ("publish today --no-wait=x", "unexpectedValue"), ("publish today --no-rev", "unknownOption"),
            ("publish today --rev 0", "invalidValue"), ("publish today --rev x", "invalidValue"), ("publish today --rev=", "invalidValue"),
            ("publish today --timeout 5", "invalidValue"), ("publish today --timeout 2h", "invalidValue"),
            ("publish today --timeout 99999999999999999d", "invalidValue"), ("feed ls -o jsn", "invalidValue"),
            ("feed ls -o JSON", "invalidValue"), ("feed ls -n 501", "invalidValue"), ("feed ls -n 99999999999999999999", "invalidValue"),
            ("publish today --rev 1 --rev 2", "repeatedOption"), ("-o json feed ls -o csv", "repeatedOption"),
            ("publish today --wait --no-wait", "contradiction"), ("--rev 3 publish today", "misplacedOption"),
            ("--limit=3 feed ls", "misplacedOption"), ("feed --all ls", "misplacedOption"),
            ("serve --database-password hunter2", "refusedOption"), ("serve --database-password=hunter2", "refusedOption"),
            ("section move today hero first", "invalidValue"), ("section move --offset -x today hero", "missingValue unknownOption"),
            ("publish --rev 0 --bogus a b", "unknownOption invalidValue"),
            ("--rev", "misplacedOption missingValue missingCommand"),
            ("completion tcsh", "invalidValue"),
        ])
    func issues(line: String, codes: String) {
        #expect(Site.outline(line.split(separator: " ").map(String.init)) == "usage: \(codes)")
    }

    @Test("An empty value is refused unless its format accepts it")
    func empty() {
        #expect(Site.outline(["publish", ""]) == "usage: invalidValue")
        #expect(Site.outline(["publish", "today", "--from", ""]) == "usage: invalidValue")
        #expect(Site.outline(["db", "psql", ""]) == "vitrine db psql rest=")
    }

    @Test("The example tree has no declaration issues")
    func declarations() {
        #expect(Site.root.declarationIssues.isEmpty)
    }
}
