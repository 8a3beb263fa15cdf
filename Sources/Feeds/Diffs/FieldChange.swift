package import JSON
internal import Values

/// A field of a document or of one of its sections that has changed.
package struct FieldChange: Sendable, Equatable {
    /// The path of the field, such as `layout`, or `title` and a locale.
    package let path: [String]
    /// The previous value, or nil if the field was absent.
    package let before: JSONValue?
    package let after: JSONValue?

    package var name: String { path.joined(separator: " ") }

    package var texts: (was: String, is: String) {
        let texts = (before.map(text) ?? "nothing", after.map(text) ?? "nothing")
        guard texts.0 != texts.1 || before == nil || after == nil else { return (before?.reported ?? "", after?.reported ?? "") }
        return texts
    }

    private func text(_ value: JSONValue) -> String { path == ["rule"] ? Rule.summary(of: value) : value.words }
}

extension FieldChange {
    private static let parted: Set<String> = [
        "title", "subtitle", "theme", "configuration", "during", "target", "card", "show", "kicker", "body",
    ]

    /// Returns the changes between two objects, in the order in which their fields are written. Texts are compared for
    /// each locale.
    package static func all(from before: JSONValue, to after: JSONValue, except: Set<String> = []) -> [FieldChange] {
        let (old, new) = (before.members, after.members)
        let keys = new.map(\.key) + old.map(\.key).filter { key in !new.contains { $0.key == key } }
        return keys.filter { !except.contains($0) }.flatMap { key -> [FieldChange] in
            let (was, now) = (old.first { $0.key == key }?.value, new.first { $0.key == key }?.value)
            guard was != now else { return [] }
            guard parted.contains(key) else { return [FieldChange(path: [key], before: was, after: now)] }
            return all(from: was ?? .object([]), to: now ?? .object([])).map {
                FieldChange(path: [key] + $0.path, before: $0.before, after: $0.after)
            }
        }
    }

    package func lines(_ depth: Int) -> [DiffLine] {
        switch (before, after) {
        case (nil, let after?): [DiffLine(.added, depth, "\(name): \(text(after))")]
        case (let before?, nil): [DiffLine(.removed, depth, "\(name): \(text(before))")]
        default: [DiffLine(.changed, depth, "\(name): \(texts.was) → \(texts.is)")]
        }
    }
}

extension FieldChange: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("pointer", JSONPointer(tokens: path).description)
        json.member("before", before)
        json.member("after", after)
    }
}

extension JSONValue {
    /// The value without the punctuation of JSON: `grid (columns 2, spacing 8)`.
    package var words: String {
        switch self {
        case .string(let text): text.printable(limit: 200)
        case .array(let elements): elements.map(\.innerText).joined(separator: ", ")
        case .object(let members):
            members.map { "\($0.key.printable(limit: 100)) \($0.value.innerText)" }.map(\.trimmed).joined(separator: ", ")
        default: reported
        }
    }

    /// The text within another one. A single value has no parentheses.
    private var innerText: String {
        switch self {
        case .array(let elements) where elements.count > 1: "(\(words))"
        case .object(let members) where members.count > 1: "(\(words))"
        default: words
        }
    }

    var reported: String {
        var json = JSONWriter()
        encode(to: &json)
        return String(decoding: json.bytes, as: UTF8.self).printable(limit: 500)
    }
}

extension String {
    fileprivate var trimmed: String { last == " " ? String(dropLast()) : self }
}
