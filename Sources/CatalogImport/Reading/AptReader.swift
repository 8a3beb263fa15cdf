internal import Items
internal import JSON
internal import Values

/// Reads the packages that `apt-cache dumpavail` prints as TopApps. Their sections come first, as categories.
struct AptReader {
    private var lines: LineSplitter
    private var firstLine = 1
    private var fields: [(name: String, value: String)] = []
    /// The packages so far. Apt lists a package once for each architecture.
    private var packages: Set<String> = []
    private var sections: Set<String> = []

    init(limits: FileLimits) { lines = LineSplitter(limit: limits.record) }

    mutating func consume(_ bytes: ArraySlice<UInt8>, _ body: (RawRecord) -> Void) {
        var found: [(Int, LineSplitter.Line)] = []
        lines.consume(bytes) { found.append(($0, $1)) }
        for (number, line) in found { read(line, number, body) }
    }

    mutating func end(_ body: (RawRecord) -> Void) {
        var found: [(Int, LineSplitter.Line)] = []
        lines.end { found.append(($0, $1)) }
        for (number, line) in found { read(line, number, body) }
        finishPackage(body)
    }

    private mutating func read(_ line: LineSplitter.Line, _ number: Int, _ body: (RawRecord) -> Void) {
        guard case .whole(let bytes) = line else {
            return body(
                RawRecord(Reject(line: number, code: .tooLarge, reason: "the line is too long, so this field of the package is ignored")))
        }
        guard let first = bytes.first else { return finishPackage(body) }
        if fields.isEmpty { firstLine = number }
        // A continuation line of a long description is ignored.
        guard first != 0x20, first != 0x09, fields.count < 100 else { return }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let name = String(validating: bytes[..<colon], as: UTF8.self),
            let value = String(validating: bytes[(colon + 1)...].drop { $0 == 0x20 }, as: UTF8.self)
        else {
            fields.append(("", ""))
            return
        }
        fields.append((name.lowercased(), value))
    }

    private subscript(_ names: String...) -> String? {
        for name in names {
            if let field = fields.first(where: { $0.name == name }), !field.value.isEmpty { return field.value }
        }
        return nil
    }

    private mutating func finishPackage(_ body: (RawRecord) -> Void) {
        defer { fields = [] }
        guard !fields.isEmpty else { return }
        guard let package = self["package"] else {
            return body(RawRecord(Reject(line: firstLine, code: .missingKey, reason: "the package has no name")))
        }
        guard packages.insert(package).inserted else { return }
        let section = Self.section(self["section"] ?? "misc")
        if sections.insert(section).inserted {
            let category = CategoryRecord(key: section, itemKind: .topApp, title: Self.title(section))
            emit(category, body)
        }
        guard let version = self["version"] else {
            return body(RawRecord(Reject(line: firstLine, code: .missingKey, reason: "the package has no version")))
        }
        var json = JSONWriter()
        json.object {
            $0.member("kind", "topApp")
            $0.member("source", package)
            $0.member("title", package)
            $0.member("subtitle", self["description-en", "description"].map { $0.cut(to: 500) })
            $0.member("categories", [section])
            $0.member("bundleId", "org.debian.packages.\(package)")
            $0.member("developer", (Self.person(self["maintainer"]) ?? "Debian").cut(to: 200))
            $0.member("appVersion", version.cut(to: 100))
            $0.member("sizeBytes", self["size"].flatMap { Int64($0) } ?? 1)
            $0.member("platforms", ["linux"])
            $0.member("ageRating", "4+")
            $0.member("releaseDate", Self.releaseDate)
            $0.member("homepage", self["homepage"].flatMap { TextShape.webAddress.fits($0) ? $0 : nil })
        }
        body(RawRecord(line: firstLine, json.bytes))
    }

    private func emit(_ category: CategoryRecord, _ body: (RawRecord) -> Void) {
        var json = JSONWriter()
        category.encode(to: &json)
        body(RawRecord(line: firstLine, json.bytes))
    }

    /// The release date of every package. Apt has no dates, so it is that of Debian 12.
    private static let releaseDate = "2023-06-10"

    /// Returns the section without its area: `contrib/net` is `net`.
    private static func section(_ text: String) -> String {
        let name = text.lowercased().split(separator: "/").last.map(String.init) ?? ""
        return IdentifierFormat.slug.fits(name) ? name : "misc"
    }

    private static func title(_ section: String) -> String { section.prefix(1).uppercased() + section.dropFirst() }

    /// Returns the name without the address after it.
    private static func person(_ text: String?) -> String? {
        guard let name = text?.split(separator: "<").first?.trimmingSpaces, !name.isEmpty else { return nil }
        return name
    }
}

extension String {
    /// Returns the text with at most `count` scalars.
    fileprivate func cut(to count: Int) -> String {
        unicodeScalars.count <= count ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var text = self
        while text.utf8.last == 0x20 { text = text.dropLast() }
        return String(text)
    }
}
