internal import Arguments

/// What one source says about a setting, before it is judged.
struct SettingInput {
    /// A text and its own place, which for an element of an array differs from the array's.
    struct Text {
        let text: String
        let origin: SettingOrigin
    }

    let origin: SettingOrigin
    /// Never empty.
    let texts: [Text]

    /// - Parameters:
    ///   - text: One value, or several parted by commas.
    ///   - origin: Where it was given.
    ///   - isList: Whether commas part values in it.
    init(_ text: String, from origin: SettingOrigin, isList: Bool) {
        self.origin = origin
        let parts = isList ? text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingSpaces } : [text]
        texts = parts.map { Text(text: $0, origin: origin) }
    }

    init(_ elements: [Text], from origin: SettingOrigin) {
        self.origin = origin
        texts = elements
    }
}

extension SettingInput.Text {
    func read<Value>(by notation: ValueFormat<Value>, isSecret: Bool, reporting mistakes: inout [SettingsMistake]) -> Value? {
        do throws(InvalidValue) {
            guard !text.isEmpty else { throw InvalidValue(expected: "a value that is not empty") }
            return try notation.read(text)
        } catch {
            let found = isSecret || text.isEmpty ? "" : ", found \(text.quoted)"
            mistakes.append(SettingsMistake(origin, "expected \(error.expectation)\(found)", suggestion: error.suggestion))
            return nil
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var part = self
        while part.first == " " { part.removeFirst() }
        while part.last == " " { part.removeLast() }
        return String(part)
    }
}
