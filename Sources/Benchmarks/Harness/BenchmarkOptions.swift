/// The options of the command line.
struct BenchmarkOptions: Equatable {
    struct Usage: Error, CustomStringConvertible {
        let description: String
    }

    private(set) var jsonPath: String?
    private(set) var isHelp = false
    /// The names of the chosen suites. nil means all that run by default.
    private var chosen: Set<String>?

    /// Reads the arguments. `suites` are the names that `--only` accepts.
    init(_ arguments: some Sequence<String>, suites: [String]) throws(Usage) {
        var rest = arguments.makeIterator()
        while let option = rest.next() {
            if option == "--help" || option == "-h" {
                isHelp = true
                continue
            }
            guard ["--only", "--json"].contains(option) else {
                throw Usage(description: "unknown option '\(option)': expected --only NAME[,NAME…], --json FILE or --help")
            }
            guard let value = rest.next(), !value.hasPrefix("--") else { throw Usage(description: "\(option) needs a value") }
            if option == "--json" { jsonPath = value } else { chosen = try (chosen ?? []).union(Self.names(in: value, suites)) }
        }
    }

    func includes(_ name: String, byDefault: Bool = true) -> Bool { chosen?.contains(name) ?? byDefault }

    /// Returns the names of a list that is separated by commas.
    private static func names(in list: String, _ suites: [String]) throws(Usage) -> Set<String> {
        let names = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let unknown = names.filter { !suites.contains($0) }.map { "'\($0)'" }
        guard unknown.isEmpty else {
            let subject = unknown.count == 1 ? "no suite is named" : "no suites are named"
            throw Usage(
                description: "--only: \(subject) \(unknown.joined(separator: ", ")); the suites are \(suites.joined(separator: ", "))")
        }
        return Set(names)
    }

    /// The text of `--help`.
    static func help(suites: [String]) -> String {
        """
        Usage: Benchmarks [--only NAME[,NAME…]] [--json FILE]
               Benchmarks soak MINUTES
               Benchmarks cache [--clients COUNT | --switches COUNT] [--proxy PROXY] [--remove-stale] [--headers-only]
                                [--program PATH] [--seed NUMBER] [--json FILE]

        Measures Vitrine and the programs to which it is compared. `make bench` builds both programs first.

          --only NAME[,NAME…]  Run only these suites. Default: all except before and growth.
          --json FILE          Also write the rows to a file.
          --help               Print this text.

        Suites: \(suites.joined(separator: ", "))

        The environment variable SIZE is the number of items of a generated catalog. Default: 200000, for growth 100000.
        For the suite before, the environment variable BEFORE is the path of an earlier program.
        The suite growth needs 7 KB of disk in /tmp for each item, which are 70 GB with SIZE=10000000.

        The exit code is 0 if all bars are held, 1 if a bar is missed, and 2 if a figure could not be measured.
        """
    }
}
