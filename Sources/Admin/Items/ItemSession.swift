internal import API
internal import CatalogImport
internal import Commands
internal import Postgres
internal import SQLFiles
internal import Settings
internal import Spelling

/// The catalog for the length of a command.
struct ItemSession {
    let console: Console
    let isReadOnly: Bool

    static let flags = Settings.flagGroup

    func run<Answer: Sendable>(
        _ invocation: Invocation, _ body: @escaping @Sendable (ItemShelf) async throws -> Answer
    ) throws -> Answer {
        do {
            return try connect(invocation) { connection in
                try await body(try ItemShelf(QueryLibrary(SQLFiles.queries), ImportConnection(over: connection)))
            }
        } catch let unclear as UnclearItem {
            throw DatabaseFailure(message: unclear.message, advice: unclear.advice, exitCode: .notFound)
        }
    }

    func connect<Answer: Sendable>(
        _ invocation: Invocation, _ body: @escaping @Sendable (PostgresConnection) async throws -> Answer
    ) throws -> Answer {
        let loaded = try LoadedSettings(invocation, console: console)
        var session = DatabaseSession(try loaded.databaseURL(console), loaded.settings, as: invocation.commandPath)
        session.configuration.needsWritableServer = !isReadOnly
        if !isReadOnly {
            // An import that runs at the same time has the lock for a chunk.
            session.configuration.lockTimeout = .seconds(60)
            session.configuration.statementTimeout = .seconds(600)
        }
        return try session.run(body)
    }
}

/// A word that means no item, or several.
struct UnclearItem: Error {
    let word: String
    let found: [UUID]

    var message: String {
        let name = word.printable(limit: 80)
        return found.isEmpty ? "there is no item called \(name)" : "several items are called \(name)"
    }

    var advice: String {
        found.isEmpty
            ? "vitrine item ls lists them; those that are withdrawn with --withdrawn."
            : "Say which: \(found.map(\.description).joined(separator: ", "))."
    }
}

extension ItemShelf {
    /// The one item that each word means.
    func ids(of words: [String]) async throws -> [UUID] {
        var ids: [UUID] = []
        for word in words {
            let found = try await find(word)
            guard let id = found.first, found.count == 1 else { throw UnclearItem(word: word, found: found) }
            ids.append(id)
        }
        return ids
    }
}
