internal import Arguments
internal import Feeds
internal import JSON
internal import Values

/// The document of a draft, which commands edit. The server validates it.
struct FeedDraft: Sendable {
    enum Position: Sendable, Equatable {
        case first, last
        case before(String), after(String)
    }

    /// The part of the document to send, because the server saves sections one by one.
    enum Change: Sendable, Equatable {
        case put(section: String, position: Int)
        case remove(section: String)

        var section: String {
            switch self {
            case .put(let section, _), .remove(let section): section
            }
        }
    }

    private(set) var document: JSONValue

    func says(theSameAs other: FeedDraft) -> Bool { document.sorted == other.document.sorted }

    private let line: String

    init(_ document: JSONValue, line: String = "main") { (self.document, self.line) = (document, line) }

    /// Throws if a newer program saved fields that this one does not know.
    func read() throws -> FeedDocument {
        do throws(JSONError) { return try FeedDocument(parsing: document.json(), limits: .feed) } catch {
            throw RemoteError(
                message: "the draft has fields that this version of vitrine does not support",
                advice: "update vitrine to the version of the server", exitCode: .conflict)
        }
    }

    var feed: String { document["feed"]?.text ?? "" }
    var sections: [JSONValue] { document["sections"]?.list ?? [] }
    var keys: [String] { sections.map { $0["key"]?.text ?? "" } }

    func section(_ key: String) throws(RemoteError) -> JSONValue { sections[try index(of: key)] }

    mutating func add(_ section: JSONValue, at destination: Position) throws(RemoteError) -> Change {
        let key = section["key"]?.text ?? ""
        guard !keys.contains(key) else {
            throw RemoteError(
                message: "feed '\(feed)' has a section '\(key)' already", advice: "change it with 'vitrine section set \(feed) \(key)'",
                exitCode: .conflict)
        }
        var sections = sections
        let position = try position(destination, among: keys)
        sections.insert(section, at: position)
        document["sections"] = .array(sections)
        return .put(section: key, position: position)
    }

    mutating func set(_ key: String, _ change: (inout JSONValue) throws -> Void) throws -> Change {
        var sections = sections
        let position = try index(of: key)
        try change(&sections[position])
        guard sections[position]["key"] == .string(key) else {
            throw RemoteError(
                message: "the key of a section cannot change",
                advice: "add a section with the new key with 'vitrine section add', and delete this one with 'vitrine section rm'",
                exitCode: .invalid)
        }
        document["sections"] = .array(sections)
        return .put(section: key, position: position)
    }

    mutating func move(_ key: String, to destination: Position) throws(RemoteError) -> Change {
        var sections = sections
        let section = sections.remove(at: try self.index(of: key))
        let others = keys.filter { $0 != key }
        switch destination {
        case .before(key), .after(key):
            throw RemoteError(message: "cannot move section '\(key)' next to itself", advice: "name another section", exitCode: .invalid)
        default: break
        }
        let position = try position(destination, among: others)
        sections.insert(section, at: position)
        document["sections"] = .array(sections)
        return .put(section: key, position: position)
    }

    mutating func remove(_ key: String) throws(RemoteError) -> Change {
        var sections = sections
        sections.remove(at: try index(of: key))
        document["sections"] = .array(sections)
        return .remove(section: key)
    }

    private func index(of key: String) throws(RemoteError) -> Int {
        guard let index = keys.firstIndex(of: key) else { throw unknown(key) }
        return index
    }

    private func position(_ destination: Position, among keys: [String]) throws(RemoteError) -> Int {
        switch destination {
        case .first: return 0
        case .last: return keys.count
        case .before(let key), .after(let key):
            guard let index = keys.firstIndex(of: key) else { throw unknown(key) }
            return destination == .before(key) ? index : index + 1
        }
    }

    /// Returns a location of the document for a user who named a section: with the section's key instead of its index.
    func location(_ pointer: JSONPointer) -> String {
        guard pointer.tokens.count >= 2, pointer.tokens[0] == "sections", let number = Int(pointer.tokens[1]), keys.indices ~= number
        else { return pointer.description }
        return "\(keys[number].printable(limit: 64))\(JSONPointer(tokens: Array(pointer.tokens.dropFirst(2))))"
    }

    private func unknown(_ key: String) -> RemoteError {
        let advice =
            key.nearest(among: keys).map { "did you mean '\($0)'?" }
            ?? "list the sections with 'vitrine section ls \(feed)\(line == "main" ? "" : " --line \(line)")'"
        return RemoteError(message: "feed '\(feed)' has no section '\(key.printable(limit: 64))'", advice: advice, exitCode: .notFound)
    }
}

extension FeedDraft {
    /// An item or a card at a zero-based slot, as in a document.
    struct Pin: Sendable, Equatable {
        let slot: Int
        /// The item, or `~` with the key of the card.
        let name: String
        /// The pin in the document, with the fields that this program does not know.
        let value: JSONValue

        /// Returns nil if the pin has no slot, or neither an item nor a card.
        init?(_ value: JSONValue) {
            guard let slot = value["slot"]?.number else { return nil }
            guard let name = value["item"]?.text ?? value["card"]?["key"]?.text.map({ "~\($0)" }) else { return nil }
            (self.slot, self.name, self.value) = (slot, name, value)
        }

        init(slot: Int, item: String) {
            (self.slot, name) = (slot, item)
            value = .object([.init(key: "slot", value: .integer(slot)), .init(key: "item", value: .string(item))])
        }

        private init(_ pin: Pin, at slot: Int) {
            var value = pin.value
            value["slot"] = .integer(slot)
            (self.slot, name, self.value) = (slot, pin.name, value)
        }

        func moved(to slot: Int) -> Pin { Pin(self, at: slot) }

        var item: String? { value["item"]?.text }
        /// The key of the card.
        var card: String? { item == nil ? value["card"]?["key"]?.text : nil }
        /// The title of the card, or the one that the item has instead of its own.
        var title: JSONValue? { value["card"]?["title"] ?? value["show"]?["title"] }
        var target: JSONValue? { value["target"] }
    }

    /// Returns the pins of a section, sorted by slot.
    func pins(of section: String) throws(RemoteError) -> [Pin] { Self.pins(of: try self.section(section)) }

    static func pins(of section: JSONValue) -> [Pin] {
        (section["pins"]?.list ?? []).compactMap { Pin($0) }.sorted { $0.slot < $1.slot }
    }

    /// Pins an item at a slot, or at the first free one. Replaces the pin of an occupied slot only if that is
    /// requested.
    mutating func addPin(_ item: String, to section: String, at slot: Int?, replacing isRequested: Bool) throws -> (
        change: Change, slot: Int
    ) {
        var pins = try pins(of: section)
        let slot = slot ?? (0...).first { free in !pins.contains { $0.slot == free } } ?? 0
        if let there = pins.first(where: { $0.name == item }) {
            guard there.slot != slot else { return (try setPins(pins, of: section), slot) }
            throw RemoteError(
                message: "\(item) is pinned at slot \(there.slot) of '\(section)' already",
                advice: "move it with 'vitrine pin move \(feed) \(section) \(item) --slot \(slot)'", exitCode: .conflict)
        }
        if let other = pins.first(where: { $0.slot == slot }), !isRequested {
            throw RemoteError(
                message: "\(other.name) is pinned at slot \(slot) of '\(section)'",
                advice: "replace the pin with '--replace', or choose another slot with '--slot'", exitCode: .conflict)
        }
        pins.removeAll { $0.slot == slot }
        return (try setPins(pins + [Pin(slot: slot, item: item)], of: section), slot)
    }

    /// Moves a pin. The pin at the slot takes its previous slot, and all others stay.
    mutating func movePin(_ name: String, of section: String, to slot: Int) throws -> (change: Change, swapped: Pin?) {
        let pins = try pins(of: section)
        guard let pin = pins.first(where: { $0.name == name }) else { throw unpinned(name, section) }
        let other = pins.first { $0.slot == slot && $0.name != name }
        let swapped = other?.moved(to: pin.slot)
        let rest = pins.filter { $0 != pin && $0 != other }
        return (try setPins(rest + [pin.moved(to: slot)] + [swapped].compactMap(\.self), of: section), swapped)
    }

    mutating func removePin(_ name: String, of section: String) throws -> (change: Change, slot: Int) {
        let pins = try pins(of: section)
        guard let pin = pins.first(where: { $0.name == name }) else { throw unpinned(name, section) }
        return (try setPins(pins.filter { $0 != pin }, of: section), pin.slot)
    }

    private mutating func setPins(_ pins: [Pin], of section: String) throws -> Change {
        try set(section) { value in
            // A newer server can have pins of other kinds.
            let others = (value["pins"]?.list ?? []).filter { Pin($0) == nil }
            let list = pins.sorted { $0.slot < $1.slot }.map(\.value) + others
            value["pins"] = list.isEmpty ? nil : .array(list)
        }
    }

    private func unpinned(_ name: String, _ section: String) -> RemoteError {
        RemoteError(
            message: "\(name.printable(limit: 80)) is not pinned in '\(section)'",
            advice: "list the pins with 'vitrine pin ls \(feed) \(section)'",
            exitCode: .notFound)
    }
}

/// A server's response with the document of a feed: a revision of it, or the review of an unsaved one.
struct RemoteDraft: JSONObjectDecodable, Sendable {
    let revision: Int?
    /// The document, including fields that this program does not know.
    let document: JSONValue?
    let findings: [ReviewFinding]

    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        revision = object.essential("revision")
        document = object.essential("document")
        findings = object.essential("findings", default: [])
    }
}

extension AdminClient {
    func feedDraft(of feed: String, on line: String) async throws -> FeedDraft {
        let draft: RemoteDraft = try await state("feeds/\(feed)/draft", [(name: "line", value: line)]).value()
        return FeedDraft(draft.document ?? .null, line: line)
    }
}
