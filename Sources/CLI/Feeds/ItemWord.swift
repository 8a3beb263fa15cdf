internal import Arguments
internal import Catalog
internal import JSON
internal import Values

/// An item as it was typed: topapp:harbor-notes, its id, or harbor-notes alone. What a word means, the server knows.
struct ItemWord: Sendable {
    private static let meaning = "An id, a slug behind its kind such as topapp:harbor-notes, or a slug or a source alone."

    static let operand = Operand("ITEM", .text.completed(by: LiveKeys.items), meaning)
    static let items = Operand(variadic: "ITEM", atLeast: 1, .text.completed(by: LiveKeys.items), meaning)
    static let withdrawnItems = Operand(variadic: "ITEM", atLeast: 1, .text.completed(by: LiveKeys.withdrawnItems), meaning)

    let text: String

    /// As documents name it. Asks the server where the kind is not said.
    func reference(on server: RemoteServer) async throws -> String {
        if let reference = ItemReference(text) { return reference.description }
        return try await server.item(text).name
    }

    /// That of the pins which it means, whether they have an id or a slug; of an item that is not among them, what the server calls it.
    func reference(among pins: [FeedDraft.Pin], on server: RemoteServer) async throws -> String {
        let candidates = ItemReference(text).map { [$0.description] } ?? ItemKind.allCases.map { "\($0.rawValue.lowercased()):\(text)" }
        let found = pins.map(\.item).filter(candidates.contains)
        guard found.count < 2 else {
            throw RemoteFailure(
                message: "\(text.printable(limit: 80)) may be \(found.joined(separator: " or "))", advice: "Say which of them.",
                exitCode: .conflict)
        }
        if let pinned = found.first { return pinned }
        let item = try await server.item(text)
        return pins.map(\.item).first { [item.name, item.id].contains($0) } ?? item.name
    }
}
