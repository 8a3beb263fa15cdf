internal import JSON
internal import Values

/// A platform that a TopApp is made for.
package struct SupportedPlatform: Sendable, Equatable {
    package let key: String
    /// The least version of the operating system, or nil if every version is enough.
    package internal(set) var minimumOS: String?
}

/// The platforms of a TopApp, sorted by key. A record has an object with the version of each platform, or a list of keys.
struct SupportedPlatforms: JSONDecodable {
    private static let maxCount = 50

    var list: [SupportedPlatform]
    /// Whether the record has a list of keys, so that one version can be for all of them.
    let isPlain: Bool

    init(from json: JSONReader) throws(JSONReadError) {
        isPlain = json.kind == .array
        if isPlain {
            let keys =
                json.isStrict
                ? try json.distinct(1...Self.maxCount) { key throws(JSONReadError) in try key.identifier(.slug) }
                : try json.decode(as: [String].self)
            list = keys.map { SupportedPlatform(key: $0, minimumOS: nil) }
        } else {
            list = try Self.platforms(json)
        }
        if list.count > 1 { list.sort { $0.key.utf8.span.precedes($1.key.utf8.span) } }
    }

    private static func platforms(_ json: JSONReader) throws(JSONReadError) -> [SupportedPlatform] {
        var list: [SupportedPlatform] = []
        var failure: JSONReadError?
        for value in try json.values() {
            do throws(JSONReadError) {
                if json.isStrict, !IdentifierFormat.slug.fits(value.key) {
                    throw value.refuse(.invalidFormat, "expected \(IdentifierFormat.slug.expected) as the key")
                }
                var object = try value.object()
                let minimumOS = object.optional("minimumOsVersion", .version)
                try object.finish()
                list.append(SupportedPlatform(key: value.key, minimumOS: minimumOS))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        guard (1...maxCount).contains(list.count) else {
            throw json.refuse(.invalidCount, "expected 1 to \(maxCount) platforms, found \(list.count)")
        }
        return list
    }
}

extension [SupportedPlatform] {
    /// Encodes the platforms as an object, in the form of records, published documents and clients.
    func encode(to json: inout JSONWriter, as key: String) {
        json.member(key) { json in
            for platform in self { json.member(platform.key) { $0.member("minimumOsVersion", platform.minimumOS) } }
        }
    }
}
