internal import Arguments
internal import CatalogImport
internal import Feeds
internal import HTTPMessages
import Host
internal import JSON
internal import Values

/// The changes of one storefront, category, chart, platform or rating scheme, which clients see immediately.
struct VocabularyEditor {
    let console: Console
    let invocation: Invocation
    let resource: VocabularyName

    static let file = Argument("FILE", .file, "The JSON file with the record, or - for standard input.")
    static let format = Option(
        "output", short: "o", .choice(of: ListFormat.self).named("FORMAT"), "Print the record in this format.")
    /// The options of a command that changes a resource.
    static let options: [any OptionDeclaring] = [Console.dryRun, Console.agreement, format] + RemoteSession.options

    /// The session of the whole command, because standard input contains a token only once.
    private let session: RemoteSession

    init(console: Console, invocation: Invocation, resource: VocabularyName) {
        self.console = console
        self.invocation = invocation
        self.resource = resource
        session = RemoteSession(console: console)
    }

    /// Returns the state of the resource, which must exist.
    func stored() throws -> StoredRecord {
        let resource = resource
        return try session.run(invocation) { server in try await server.record(of: resource) }
    }

    /// Saves the record of a file as the resource. `lines` returns the differences of two records.
    func save(_ lines: @escaping @Sendable (_ before: JSONValue, _ after: JSONValue) -> [DiffLine]) throws -> ExitCode {
        let resource = resource
        let (written, record) = try resource.record(fromFile: invocation[Self.file])
        let before = try session.run(invocation) { server in try await server.existingRecord(of: resource) }
        let changes = before.map { lines($0.record, record) } ?? [DiffLine(.added, 0, resource.title)]
        guard !changes.isEmpty else { return try printUnchanged(record) }
        if invocation[Console.dryRun] {
            try report(text(changes, on: .output), record)
            console.printStatus(Console.noChanges)
            return .ok
        }
        if console.needsConfirmation(invocation) { console.printStatus(text(changes, on: .errors)) }
        guard try console.confirm("\(before == nil ? "Create" : "Save") \(resource.title)?", invocation) else { return .failed }
        // The pointers of a response are those of the file.
        let body = try written.json()
        let after = try session.run(invocation) { server in
            let condition = before.map { AdminClient.Condition.state($0.tag) } ?? .absence
            return try StoredRecord(try await server.send(.put, resource.path, [], condition, body: body))
        }
        guard after.tag != before?.tag else { return try printUnchanged(after.record) }
        try report("\(before == nil ? "Created" : "Saved") \(resource.title).\n", after.record)
        console.printStatus(FindingsText(after.findings).text)
        return .ok
    }

    /// Deletes the resource.
    func delete() throws -> ExitCode {
        let resource = resource
        return try change("Delete", done: "Deleted", from: try stored()) { server, stored in
            _ = try await server.send(.delete, resource.path, [], .state(stored.tag))
            return stored
        }
    }

    /// Changes an existing resource after a confirmation. `send` returns the record to print, with the findings.
    func change(
        _ verb: String, done: String, from stored: StoredRecord,
        _ send: @escaping @Sendable (AdminClient, StoredRecord) async throws -> StoredRecord
    ) throws -> ExitCode {
        guard !invocation[Console.dryRun] else {
            try report("Would \(verb.lowercased()) \(resource.title).\n", stored.record)
            console.printStatus(Console.noChanges)
            return .ok
        }
        guard try console.confirm("\(verb) \(resource.title)?", invocation) else { return .failed }
        let changed = try session.run(invocation) { server in try await send(server, stored) }
        try report("\(done) \(resource.title).\n", changed.record)
        console.printStatus(FindingsText(changed.findings).text)
        return .ok
    }

    func printUnchanged(_ record: JSONValue, because reason: String = "has this record already") throws -> ExitCode {
        console.printStatus("No changes: \(resource.title) \(reason).\n")
        try report("", record)
        return .ok
    }

    private func text(_ changes: [DiffLine], on stream: StandardStream) -> String {
        DiffText(width: stream.width, isColored: console.isColored(stream)).text(changes, margin: 0)
    }

    private func report(_ text: String, _ record: JSONValue) throws {
        guard let format = invocation[Self.format] else { return try console.print(text) }
        try Self.print(record, of: resource, as: format, console)
    }

    /// Prints a record as `show` does.
    static func print(_ record: JSONValue, of resource: VocabularyName, as format: ListFormat, _ console: Console) throws {
        switch format {
        case .table, .wide, .yaml: try console.print(try YAMLText(of: record.json()).text)
        case .json: try console.printJSON(record)
        case .jsonl, .csv, .name:
            let page = ListPage(elements: [record], columns: columns(of: resource), name: { _ in resource.text })
            try page.print(as: format, width: nil)
        }
    }

    private static func columns(of resource: VocabularyName) -> [ListPage<JSONValue>.Column] {
        resource.fields.map { key, value in .init(title: key.uppercased()) { _ in value } } + [
            .init(title: "RECORD") { $0.text(.compact) }
        ]
    }
}
