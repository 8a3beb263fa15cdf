internal import Catalog
internal import Commands
internal import HTTPMessages
internal import JSON
internal import Spelling

/// An item as it was typed: topapp:harbor-notes, its id, or harbor-notes alone.
struct ItemWord: Sendable {
    let text: String

    static let operand = Operand(
        "ITEM", .text.completed(by: LiveKeys.items),
        "An item: topapp:harbor-notes, foodapp:saffron-table, its id, or its name alone where there is one of it.")

    /// As documents name it. Asks the server where the kind is not said.
    func reference(in feed: String, on server: RemoteServer) async throws -> String {
        if let reference = ItemReference(text) { return reference.description }
        let candidates = try candidates()
        let pins = candidates.enumerated().map { slot, item in
            JSONValue.object([.init(key: "slot", value: .integer(slot)), .init(key: "item", value: .string(item))])
        }
        // A review of a document with nothing else in it says which of them there are not.
        let section = JSONValue.object([
            .init(key: "key", value: .string("items")),
            .init(key: "layout", value: .object([.init(key: "list", value: .object([]))])), .init(key: "cell", value: .string("item")),
            .init(key: "pins", value: .array(pins)),
        ])
        let document = JSONValue.object([
            .init(key: "feed", value: .string(feed)), .init(key: "title", value: .object([.init(key: "en", value: .string("Items"))])),
            .init(key: "sections", value: .array([section])),
        ])
        let answer = try await server.send(.post, "feeds/\(feed):validate", body: document.json())
        let missing = (answer.document?["findings"]?.elements.map { $0 } ?? []).filter { $0["code"]?.string == "UNKNOWN_ITEM" }
            .compactMap { $0["pointer"]?.string }
        return try one(of: candidates.enumerated().filter { slot, _ in !missing.contains("/sections/0/pins/\(slot)/item") }.map(\.element))
    }

    /// That of the pins which it means.
    func reference(among pins: [FeedDraft.Pin]) throws -> String {
        if let reference = ItemReference(text) { return reference.description }
        let candidates = try candidates()
        let found = pins.map(\.item).filter(candidates.contains)
        return found.isEmpty ? text : try one(of: found)
    }

    private func candidates() throws -> [String] {
        let candidates = ItemKind.allCases.map { "\($0.rawValue.lowercased()):\(text)" }
        guard candidates.allSatisfy({ ItemReference($0) != nil }) else {
            throw RemoteFailure(
                message: "\(text.printable(limit: 80)) is no item",
                advice: "Expected an item as topapp:harbor-notes, its name alone, or its id.",
                exitCode: .invalid)
        }
        return candidates
    }

    private func one(of found: [String]) throws -> String {
        guard found.count == 1, let reference = found.first else {
            throw found.isEmpty
                ? RemoteFailure(
                    message: "there is no item \(text.printable(limit: 80))", advice: "vitrine item search finds one by its title.",
                    exitCode: .notFound)
                : RemoteFailure(
                    message: "\(text.printable(limit: 80)) may be \(found.joined(separator: " or "))", advice: "Say which of them.",
                    exitCode: .invalid)
        }
        return reference
    }
}
