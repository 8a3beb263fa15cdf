package import Items
package import JSON
internal import Values

/// The effect of a tap on a card, or on a pinned item with its own action.
package enum Action: Sendable, Hashable {
    case item(ItemReference)
    case feed(FeedKey)
    case story(FeedKey)
    /// The list of a section.
    case list(feed: FeedKey, section: SectionKey)
    case search(String)
    case url(String)
}

extension Action {
    package enum Kind: String, CaseIterable, Sendable, JSONEncodable { case item, feed, story, list, search, url }

    package var kind: Kind {
        switch self {
        case .item: .item
        case .feed: .feed
        case .story: .story
        case .list: .list
        case .search: .search
        case .url: .url
        }
    }

    /// The target as documents name it, such as `today/top-free`.
    package var target: String {
        switch self {
        case .item(let item): item.description
        case .feed(let key), .story(let key): key.text
        case .list(let feed, let section): "\(feed)/\(section)"
        case .search(let words): words
        case .url(let url): url
        }
    }

    /// Whether the result can depend on the platform of the client, which is then a part of the link.
    var linksToPlatform: Bool {
        switch self {
        case .feed, .story, .list, .search: true
        case .item, .url: false
        }
    }

    /// The scheme of a URL, such as `https`.
    package var scheme: String? {
        guard case .url(let url) = self else { return nil }
        return url.split(separator: ":", maxSplits: 1).first.map(String.init)
    }

    package static let maxSearchCharacters = 200
    package static let maxURLBytes = 2_048
    /// URLs of these schemes can run a program or read a file on the device of a client.
    static let forbiddenSchemes = ["javascript", "data", "file", "vbscript"]

    fileprivate static func isURL(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count <= maxURLBytes, bytes.allSatisfy({ (0x21...0x7E).contains($0) }),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return false }
        let scheme = bytes[..<colon]
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return scheme.first.map(letters.contains) ?? false
            && scheme.allSatisfy { letters.contains($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) }
            && bytes.index(after: colon) < bytes.endIndex && !forbiddenSchemes.contains(String(Substring(scheme)))
    }
}

extension Action: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let choice = Result { () throws(JSONReadError) in
            let (key, value) = try object.choice(of: Kind.self)()
            return try Self.read(key, value)
        }
        try object.finish()
        self = try choice.get()
    }

    private static func read(_ kind: Kind, _ json: JSONReader) throws(JSONReadError) -> Action {
        switch kind {
        case .item: return .item(try json.decode())
        case .feed: return .feed(try json.decode())
        case .story: return .story(try json.decode())
        case .list:
            let parts = try json.decode(as: String.self).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let feed = FeedKey(parts[0]), let section = SectionKey(parts[1]) else {
                throw json.refuse(.invalidFormat, "expected the keys of a feed and of a section, such as \"today/top-free\"")
            }
            return .list(feed: feed, section: section)
        case .search:
            let words = try json.decode(as: String.self)
            guard TextShape.line(1...maxSearchCharacters).fits(words) else {
                throw json.refuse(
                    .invalidFormat, "expected 1 to \(maxSearchCharacters) characters, not only spaces, without control characters")
            }
            return .search(words)
        case .url:
            let url = try json.decode(as: String.self)
            guard isURL(url) else {
                throw json.refuse(
                    .invalidFormat, "expected a URL such as https://example.com/offer, of up to \(maxURLBytes) visible ASCII characters",
                    hint: "the schemes \(forbiddenSchemes.joined(separator: ", ")) are not allowed")
            }
            return .url(url)
        }
    }

    package func encodeMembers(to json: inout JSONWriter) { json.member(kind.rawValue, target) }
}
