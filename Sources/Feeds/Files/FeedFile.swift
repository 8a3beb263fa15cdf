package import JSON

/// A document in a file, with the line that it is the draft of: `today.jsonc`, or `today@night-market.jsonc` for a line
/// other than main.
package struct FeedFile: Sendable, Equatable {
    package struct Location: Sendable, Hashable {
        package let feed: FeedKey
        package let line: LineKey

        package init(feed: FeedKey, line: LineKey = .main) {
            self.feed = feed
            self.line = line
        }

        package var name: String { (line == .main ? feed.text : "\(feed)@\(line)") + ".jsonc" }

        /// Returns nil if the name is not that of a feed. Strict JSON can also be in a `.json` file.
        package init?(name: String) {
            guard let suffix = FeedFile.suffixes.first(where: { name.hasSuffix($0) }) else { return nil }
            let parts = name.dropLast(suffix.count).split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let feed = FeedKey(parts[0]) else { return nil }
            self.feed = feed
            guard parts.count > 1 else {
                line = .main
                return
            }
            guard let line = LineKey(parts[1]), line != .main else { return nil }
            self.line = line
        }
    }

    package static let suffixes = [".jsonc", ".json"]

    package let line: LineKey
    package let document: FeedDocument

    package init(line: LineKey = .main, document: FeedDocument) {
        self.line = line
        self.document = document
    }

    /// Reads a text, which can have comments.
    package init(parsing source: [UInt8], line: LineKey = .main) throws(JSONError) {
        document = try FeedDocument(parsing: source, limits: .feed, notation: .commented)
        self.line = line
    }

    package var location: Location { Location(feed: document.key, line: line) }

    /// Returns the formatted text. If there is an existing text, its unchanged parts stay as they are, including
    /// comments. An existing text with the same document stays unchanged as a whole.
    package func text(in place: [UInt8]? = nil) -> [UInt8] {
        let text = FeedFileFormatter(of: self)
        guard let source = place, let (json, old) = Self.read(source) else { return text.fresh }
        if old == document { return source }
        let woven = text.woven(into: json, old)
        // A comment that spans a moved part can hide other parts.
        return Self.read(woven)?.document == document ? woven : text.fresh
    }

    private static func read(_ source: [UInt8]) -> (json: JSONDocument, document: FeedDocument)? {
        do throws(JSONError) {
            let json = try JSONDocument(parsing: source, limits: .feed, notation: .commented)
            return (json, try json.decode())
        } catch { return nil }
    }
}
