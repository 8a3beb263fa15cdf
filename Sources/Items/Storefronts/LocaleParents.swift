internal import JSON
internal import LocaleFiles
package import Values

/// The parents of locales, from the data of Unicode CLDR. No other code decides which locale can replace another.
///
/// A locale inherits from its parent: `en-AU` from `en-001`, `es-MX` from `es-419`. `zh-Hant-HK` inherits from
/// `zh-Hant`, which has no parent, because `zh` is written in another script. A region implies a script if its language
/// has several: `zh-HK` is another spelling of `zh-Hant-HK`.
struct LocaleParents: Sendable {
    private static let root = "root"
    /// The maximum length of a chain. It exceeds every chain of the data and ends a cycle.
    private static let maxDepth = 6

    /// The parents by locale. A locale is spelled with its script if that is not the usual one.
    private let parents: [String: String]
    /// The usual script of each language that has several, and the script of each region that uses another one.
    private let scripts: [String: String]

    /// The data that is compiled into the program.
    static let builtIn: LocaleParents = {
        do throws(JSONError) {
            return try LocaleParents(parsing: LocaleFiles.parents, limits: .ownOutput)
        } catch {
            preconditionFailure("the parents of locales cannot be read: \(error)")
        }
    }()

    /// Returns the locale and then its fallbacks, the nearest first, each in its spellings with and without a script.
    func chain(of locale: LocaleTag) -> [LocaleTag] {
        var chain = [locale]
        var next: String? = canonical(locale.text)
        while let name = next, chain.count < Self.maxDepth * 3 {
            chain += spellings(of: name).compactMap { LocaleTag($0) }.filter { !chain.contains($0) }
            next = parent(of: name)
        }
        return chain
    }

    private func parent(of name: String) -> String? {
        if let parent = parents[name] { return parent == Self.root ? nil : canonical(parent) }
        guard let end = name.utf8.lastIndex(of: UInt8(ascii: "-")) else { return nil }
        return canonical(String(name[..<end]))
    }

    /// Returns the spelling with the script that the region implies, if that is not the usual one of the language. A
    /// usual script is omitted.
    private func canonical(_ name: String) -> String {
        let parts = Parts(name)
        guard let usual = scripts[parts.language] else { return name }
        let implied = parts.region.flatMap { scripts["\(parts.language)-\($0)"] } ?? usual
        switch parts.script {
        case nil: return implied == usual ? name : Parts(parts.language, implied, parts.region).text
        case implied? where implied == usual: return Parts(parts.language, nil, parts.region).text
        default: return name
        }
    }

    /// Returns all spellings with this canonical spelling, which is the first.
    private func spellings(of name: String) -> [String] {
        let parts = Parts(name)
        guard let usual = scripts[parts.language] else { return [name] }
        let others = [Parts(parts.language, parts.script == nil ? usual : nil, parts.region).text]
        return [name] + others.filter { canonical($0) == name }
    }

    private struct Parts {
        let language: String
        let script: String?
        let region: String?

        init(_ language: String, _ script: String?, _ region: String?) {
            (self.language, self.script, self.region) = (language, script, region)
        }

        init(_ name: String) {
            let parts = name.split(separator: "-").map(String.init)
            language = parts.first ?? name
            script = parts.dropFirst().first { $0.utf8.count == 4 }
            region = parts.dropFirst().last { $0.utf8.count < 4 }
        }

        var text: String { [language, script, region].compactMap(\.self).joined(separator: "-") }
    }
}

extension LocaleParents: JSONDecodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        _ = object.required("source", as: String.self)
        let parents = object.required("parents", as: [String: String].self)
        let scripts = object.required("scripts", as: [String: String].self)
        try object.finish()
        self.init(parents: try parents(), scripts: try scripts())
    }
}

extension LocaleTag {
    /// The tag and then its fallback locales, the nearest first.
    package var fallbacks: [LocaleTag] { LocaleParents.builtIn.chain(of: self) }
}
