internal import EmbeddedPostgres
internal import Postgres

/// The summary that `vitrine dev` shows when everything runs: the running parts and suggested commands.
struct DevBanner {
    enum Database {
        case given(String)
        case privately(ServerVersion, PrivateCluster.Origin, directory: String, took: Duration)
    }

    let program: String
    let version: String
    let database: Database
    let schema: MigrationID?
    let addresses: [String]

    func text(isColored: Bool) -> String {
        let (bold, dim, plain) = isColored ? ("\u{1B}[1m", "\u{1B}[2m", "\u{1B}[0m") : ("", "", "")
        let requested =
            addresses.first { $0.hasPrefix("http") }.map {
                [
                    ("curl \($0)/v1/us/feeds/today", "a feed page for clients"), ("curl \($0)/v1/us/items", "the items of a storefront"),
                    ("curl \($0)/readyz", "the readiness of the server"),
                ]
            } ?? []
        let call = assignment + program
        let commands =
            requested + [
                ("\(call) feed ls", "the feeds"), ("\(call) item ls", "the items of the catalog"),
                ("\(call) db psql", "a SQL prompt on the database"),
                ("\(call) db status", "the migrations of the database"),
                ("\(call) db url", "the URL of the database"),
                ("\(call) doctor", "a check of this machine"), ("\(call) settings", "the settings and their sources"),
            ]
        let width = commands.map(\.0.count).max() ?? 0
        let tries = commands.map { "    \($0.0.padded(to: width))   \(dim)\($0.1)\(plain)\n" }.joined()
        return """

              \(bold)Vitrine \(version)\(plain) is running.

                database   \(databaseLine)
                schema     \(schema?.description ?? "empty")
                HTTP       \(addresses.isEmpty ? "on an inherited socket" : addresses.joined(separator: ", "))

              Commands to try in another terminal
            \(tries)
              \(dim)Press Ctrl-C to stop the server and its database.\(plain)


            """
    }

    /// The variable without which commands use the server of the default folder; empty if this is its folder.
    private var assignment: String {
        guard case .privately(_, _, let directory, _) = database, directory != DevProfile.defaultFolder else { return "" }
        return "\(DevProfile.variable)=\(directory.shellWord) "
    }

    private var databaseLine: String {
        switch database {
        case .given(let url): url
        case .privately(let version, let origin, let directory, let took):
            "PostgreSQL \(version) in \(directory) (\(origin.text) in \(took.tenths) s)"
        }
    }
}

extension PrivateCluster.Origin {
    fileprivate var text: String {
        switch self {
        case .created: "created and started"
        case .started: "started"
        case .attached: "already running"
        }
    }
}

extension Duration {
    fileprivate var tenths: String {
        let (seconds, attoseconds) = components
        return "\(seconds).\(attoseconds / 100_000_000_000_000_000)"
    }
}

extension String {
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// The text as one word of a shell command.
    fileprivate var shellWord: String {
        let isPlain = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "/._-".contains($0) }
        return isPlain ? self : "'\(replacing("'", with: #"'\''"#))'"
    }
}
