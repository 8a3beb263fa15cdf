internal import Arguments
internal import CatalogImport
internal import Feeds
internal import JSON

/// The commands `ls`, `show`, `set` and `rm` of a kind of resources that clients see, such as categories.
struct VocabularyCommands: Sendable {
    let console: Console
    let kind: VocabularyKind
    let argument: Argument<String>
    /// The options that a name needs in addition to the argument.
    var options: [any OptionDeclaring] = []
    /// Returns the name on a command line. Throws if it is invalid.
    let name: @Sendable (Invocation) throws -> VocabularyName

    /// Returns `ls`. `read` checks the command line and returns the request for the elements.
    func list<Row>(
        _ abstract: String, discussion: String = "", examples: [Example], options: [any OptionDeclaring] = [],
        columns: [ListPage<RemoteValue<Row>>.Column], key: @escaping @Sendable (RemoteValue<Row>) -> String,
        _ read: @escaping @Sendable (Invocation) throws -> @Sendable (AdminClient) async throws -> [RemoteValue<Row>]
    ) -> Command {
        Command(
            "ls", abstract, discussion: discussion, examples: examples, options: options + [ListFormat.option] + RemoteSession.options
        ) { invocation in
            let elements = try RemoteSession(console: console).run(invocation, try read(invocation))
            try ListPage(elements: elements, columns: columns, name: key).print(as: invocation[ListFormat.option])
            return .ok
        }
    }

    /// Returns `show`. `example` is the name of a resource as typed.
    func show(example: String, _ meaning: String) -> Command {
        let (command, file) = ("vitrine \(kind.command)", example.prefix { $0 != " " })
        return Command(
            "show", "Show a \(kind.title) as a \(kind.isInCatalogFiles ? "catalog record" : "record")",
            discussion: "With -o json, the output is a record for \(command) set."
                + (kind.isInCatalogFiles ? " With -o jsonl, it is a catalog file." : ""),
            examples: [
                Example("\(command) show \(example)", meaning),
                Example("\(command) show \(example) -o json > \(file).json", "Save the record of a \(kind.title)."),
            ],
            arguments: [argument], options: options + [ListFormat.option] + RemoteSession.options
        ) { invocation in
            let name = try name(invocation)
            let stored = try RemoteSession(console: console).run(invocation) { server in try await server.record(of: name) }
            if let closedAt = stored.closedAt { console.printStatus("Closed at \(closedAt).\n") }
            try VocabularyEditor.print(stored.record, of: name, as: invocation[ListFormat.option], console)
            return .ok
        }
    }

    /// Returns `set`. `example` is a name with a file, and `changes` returns the differences of two records.
    func set(
        _ discussion: String, example: String, _ other: Example,
        changes: @escaping @Sendable (_ before: JSONValue, _ after: JSONValue) -> [DiffLine] = { before, after in
            FieldChange.all(from: before, to: after).flatMap { $0.lines(0) }
        }
    ) -> Command {
        Command(
            "set", "Create or replace a \(kind.title)", discussion: discussion,
            examples: [
                Example("vitrine \(kind.command) set \(example) --dry-run", "Show the changes without making them."), other,
            ],
            arguments: [argument, VocabularyEditor.file], options: options + VocabularyEditor.options
        ) { invocation in try editor(invocation).save(changes) }
    }

    func remove(_ abstract: String, _ discussion: String, examples: [Example]) -> Command {
        Command(
            "rm", abstract, discussion: discussion, examples: examples, arguments: [argument], options: options + VocabularyEditor.options
        ) { invocation in try editor(invocation).delete() }
    }

    func editor(_ invocation: Invocation) throws -> VocabularyEditor {
        VocabularyEditor(console: console, invocation: invocation, resource: try name(invocation))
    }
}
