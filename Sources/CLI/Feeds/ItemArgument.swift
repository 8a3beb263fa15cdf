internal import Arguments
internal import Items
internal import Values

/// An item as typed: topapp:harbor-notes, its ID, or harbor-notes alone. The server resolves it.
struct ItemArgument: Sendable {
    private static let meaning =
        "An item: its kind and slug such as topapp:harbor-notes, its ID, only its slug, or its source, which is its key in catalog files."

    static let item = Argument("ITEM", .text.completed(by: RemoteCompletions.items), meaning)
    static let items = Argument(variadic: "ITEM", atLeast: 1, .text.completed(by: RemoteCompletions.items), meaning)
    static let withdrawnItems = Argument(variadic: "ITEM", atLeast: 1, .text.completed(by: RemoteCompletions.withdrawnItems), meaning)

    let text: String

    /// Returns the reference for documents. Asks the server if the kind is not given.
    func reference(on server: AdminClient) async throws -> String {
        if let reference = ItemReference(text) { return reference.description }
        return try await server.item(text).name
    }

    /// Returns the name of the matching pin, which may have an ID or a slug, or be a card. For other items it returns the
    /// server's reference.
    func name(among pins: [FeedDraft.Pin], on server: AdminClient) async throws -> String {
        if text.hasPrefix("~") { return text }
        let names = ItemReference(text).map { [$0.description] } ?? ItemKind.allCases.map { "\($0.rawValue.lowercased()):\(text)" }
        // Some shells expand a word that begins with ~, so the key of a card is enough.
        let candidates = names + ["~\(text)"]
        let found = pins.map(\.name).filter(candidates.contains)
        guard found.count < 2 else {
            throw RemoteError(
                message: "ambiguous item '\(text.printable(limit: 80))': matches \(found.joined(separator: " and "))",
                advice: "name one of them",
                exitCode: .conflict)
        }
        if let pinned = found.first { return pinned }
        let item = try await server.item(text)
        return pins.map(\.name).first { [item.name, item.id].contains($0) } ?? item.name
    }
}
