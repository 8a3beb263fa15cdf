internal import Arguments
internal import Items
internal import Values

/// An item as it was typed: topapp:harbor-notes, its id, or harbor-notes alone. What a word means, the server knows.
struct ItemArgument: Sendable {
    private static let meaning = "An id, a slug behind its kind such as topapp:harbor-notes, or a slug or a source alone."

    static let operand = Argument("ITEM", .text.completed(by: RemoteCompletions.items), meaning)
    static let items = Argument(variadic: "ITEM", atLeast: 1, .text.completed(by: RemoteCompletions.items), meaning)
    static let withdrawnItems = Argument(variadic: "ITEM", atLeast: 1, .text.completed(by: RemoteCompletions.withdrawnItems), meaning)

    let text: String

    /// As documents name it. Asks the server where the kind is not said.
    func reference(on server: AdminClient) async throws -> String {
        if let reference = ItemReference(text) { return reference.description }
        return try await server.item(text).name
    }

    /// That of the pins which it means, whether they have an id or a slug; of an item that is not among them, what the server calls it.
    func reference(among pins: [FeedDraft.Pin], on server: AdminClient) async throws -> String {
        let candidates = ItemReference(text).map { [$0.description] } ?? ItemKind.allCases.map { "\($0.rawValue.lowercased()):\(text)" }
        let found = pins.map(\.item).filter(candidates.contains)
        guard found.count < 2 else {
            throw RemoteError(
                message: "\(text.printable(limit: 80)) may be \(found.joined(separator: " or "))", advice: "Say which of them.",
                exitCode: .conflict)
        }
        if let pinned = found.first { return pinned }
        let item = try await server.item(text)
        return pins.map(\.item).first { [item.name, item.id].contains($0) } ?? item.name
    }
}
