package import Items
package import JSON
internal import Values

/// The clients that a section is for. An absent condition includes all clients, and at least one is present.
package struct Target: Sendable, Hashable {
    package let storefronts: [String]
    /// The locales. One without a script or a region includes those with one.
    package let locales: [LocaleTag]
    package let platforms: [String]
    package let appVersion: VersionRange?
    package let os: VersionRange?
    /// The tags, of which a client needs one.
    package let tags: [String]
    package let bucket: Bucket?

    /// Whether the target includes a client. It is a pure function, so that a syncing client computes the same result
    /// as the server. A condition on a value that the client has not sent is false.
    package func includes(_ audience: Audience) -> Bool {
        isFor(audience.storefront)
            && (locales.isEmpty || locales.contains { audience.locale.isOrRefines($0) })
            && (platforms.isEmpty || audience.platform.map(platforms.contains) ?? false)
            && holds(appVersion, audience.appVersion) && holds(os, audience.os)
            && (tags.isEmpty || tags.contains { audience.tags.contains($0) })
            && (bucket.map { bucket in audience.clientID.map(bucket.includes) ?? false } ?? true)
    }

    /// Whether the target can include clients of the storefront.
    package func isFor(_ storefront: String) -> Bool { storefronts.isEmpty || storefronts.contains(storefront) }

    private func holds(_ range: VersionRange?, _ version: Version?) -> Bool {
        guard let range else { return true }
        return version.map(range.contains) ?? false
    }
}

extension LocaleTag {
    func isOrRefines(_ other: LocaleTag) -> Bool {
        let rest = text.utf8.dropFirst(other.text.utf8.count)
        return text.utf8.starts(with: other.text.utf8) && (rest.isEmpty || rest.first == UInt8(ascii: "-"))
    }
}

extension Target {
    /// Whether a condition uses a value that not every client sends.
    package var asksClients: Bool { !platforms.isEmpty || appVersion != nil || os != nil || !tags.isEmpty || bucket != nil }
}

extension Target: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        storefronts = object.optional("storefronts") { list throws(JSONReadError) in try Self.identifiers(list, .storefront) } ?? []
        locales =
            object.optional("locales") { list throws(JSONReadError) in
                try list.distinct(1...JSONReader.maxIdentifiers) { locale throws(JSONReadError) in try locale.locale() }
            } ?? []
        platforms = object.optional("platforms") { list throws(JSONReadError) in try Self.identifiers(list, .slug) } ?? []
        appVersion = object.optional("appVersion")
        os = object.optional("os")
        tags = object.optional("tags") { list throws(JSONReadError) in try Self.identifiers(list, .name) } ?? []
        bucket = object.optional("bucket")
        try object.finish()
        guard json.node.count > 0 else {
            throw json.refuse(.invalidCount, "expected at least one condition", hint: "omit the target to include all clients")
        }
    }

    private static func identifiers(_ json: JSONReader, _ form: IdentifierFormat) throws(JSONReadError) -> [String] {
        try json.distinct(1...JSONReader.maxIdentifiers) { element throws(JSONReadError) in try element.identifier(form) }
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("storefronts", storefronts, unless: [])
        json.member("locales", locales.map(\.text), unless: [])
        json.member("platforms", platforms, unless: [])
        json.member("appVersion", appVersion)
        json.member("os", os)
        json.member("tags", tags, unless: [])
        json.member("bucket", bucket)
    }
}

extension VersionRange: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        guard let range = VersionRange(try json.decode(as: String.self)) else {
            throw json.refuse(.invalidFormat, "expected versions such as \">=3.0\", \"<4\", \">=3.0 <4.2.1\" or \"=3.1\"")
        }
        self = range
    }

    package func encode(to json: inout JSONWriter) { json.string(description) }
}

extension Bucket: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let experiment = object.required("experiment") { experiment throws(JSONReadError) in try experiment.identifier(.name) }
        let from = object.required("from", as: Int.self, .in(0...Self.count))
        let to = object.required("to", as: Int.self, .in(0...Self.count))
        if let from = from.value, let to = to.value, from >= to {
            object.report(.outOfRange, at: "to", "expected more than \(from), found \(to)")
        }
        try object.finish()
        guard let experiment else { throw object.refuse(.missingKey, at: "experiment", "the experiment is missing") }
        self.experiment = experiment
        range = try from()..<to()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("experiment", experiment)
        json.member("from", range.lowerBound)
        json.member("to", range.upperBound)
    }
}

/// A range of versions: from one, below another, both, or a single version.
package enum VersionRange: Sendable, Hashable {
    case exactly(Version)
    case atLeast(Version)
    case below(Version)
    case within(Range<Version>)

    /// Parses `=3.1`, `>=3.0`, `<4` and `>=3.0 <4.2.1`. Returns nil if the text is invalid or no version can match.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        func version(in part: Substring.UTF8View, after sign: String) -> Version? {
            part.starts(with: sign.utf8) ? Version(String(decoding: part.dropFirst(sign.utf8.count), as: UTF8.self)) : nil
        }
        if parts.count == 2, let lower = version(in: parts[0], after: ">="), let upper = version(in: parts[1], after: "<"), lower < upper {
            self = .within(lower..<upper)
        } else if parts.count == 1, let version = version(in: parts[0], after: ">=") {
            self = .atLeast(version)
        } else if parts.count == 1, let version = version(in: parts[0], after: "<") {
            self = .below(version)
        } else if parts.count == 1, let version = version(in: parts[0], after: "=") {
            self = .exactly(version)
        } else {
            return nil
        }
    }

    package func contains(_ version: Version) -> Bool {
        switch self {
        case .exactly(let only): version == only
        case .atLeast(let lower): version >= lower
        case .below(let upper): version < upper
        case .within(let range): range.contains(version)
        }
    }
}

extension VersionRange: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exactly(let only): "=\(only)"
        case .atLeast(let lower): ">=\(lower)"
        case .below(let upper): "<\(upper)"
        case .within(let range): ">=\(range.lowerBound) <\(range.upperBound)"
        }
    }
}

/// The values that a client sends about itself for targets. A value that it has not sent is nil.
package struct Audience: Sendable, Hashable {
    package var storefront: String
    package var locale: LocaleTag
    package var platform: String?
    package var appVersion: Version?
    package var os: Version?
    package var tags: Set<String>
    package var clientID: String?

    package init(
        storefront: String, locale: LocaleTag, platform: String? = nil, appVersion: Version? = nil, os: Version? = nil,
        tags: Set<String> = [], clientID: String? = nil
    ) {
        self.storefront = storefront
        self.locale = locale
        self.platform = platform
        self.appVersion = appVersion
        self.os = os
        self.tags = tags
        self.clientID = clientID
    }
}

/// A version with one to four numbers, compared in order. Missing numbers are 0, so 3 and 3.0 are equal.
package struct Version: Sendable, Hashable {
    /// The numbers without trailing zeros.
    private let numbers: [Int]

    /// Returns nil if a part between dots is not all digits, as in `3.2-beta`.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count <= 4 else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard (1...9).contains(part.count), part.allSatisfy(\.isDigit) else {
                return nil
            }
            numbers.append(part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
        }
        while numbers.last == 0 { numbers.removeLast() }
        self.numbers = numbers
    }
}

extension Version: Comparable {
    package static func < (a: Version, b: Version) -> Bool { a.numbers.lexicographicallyPrecedes(b.numbers) }
}

extension Version: CustomStringConvertible {
    package var description: String { numbers.isEmpty ? "0" : numbers.map(String.init).joined(separator: ".") }
}
