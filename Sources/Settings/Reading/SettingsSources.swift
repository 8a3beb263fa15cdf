internal import Arguments

package struct SettingsSources {
    package typealias ReadFile = (String) throws(FileFailure) -> [UInt8]

    /// What was typed for a flag, named without its dashes.
    let flagText: (String) -> String?
    let environment: [String: String]
    /// The names beginning with `VITRINE_` that other parts of the program read.
    let foreignVariables: Set<String>
    let readFile: ReadFile

    package init(
        flagText: @escaping (String) -> String?, environment: [String: String], foreignVariables: Set<String> = [],
        readFile: @escaping ReadFile
    ) {
        self.flagText = flagText
        self.environment = environment
        self.foreignVariables = foreignVariables
        self.readFile = readFile
    }

    /// Where nothing is given.
    static var none: SettingsSources {
        SettingsSources(flagText: { _ in nil }, environment: [:]) { _ throws(FileFailure) in
            throw FileFailure(isMissing: true, reason: "there are no files")
        }
    }

    /// The text of a variable; an empty one counts as absent.
    func text(ofVariable name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Shows nothing of the environment, which holds secrets.
extension SettingsSources: CustomStringConvertible, CustomReflectable {
    package var description: String { "SettingsSources" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

struct SettingInput {
    /// A text and its own place, which for an element of an array differs from the array's.
    struct Text {
        let text: String
        let origin: SettingOrigin
    }

    let origin: SettingOrigin
    /// Never empty.
    let texts: [Text]

    /// Several values in a list are parted by commas.
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
    func read<Value>(by notation: ValueFormat<Value>, isSecret: Bool, reporting issues: inout [SettingsIssue]) -> Value? {
        do throws(InvalidValue) {
            guard !text.isEmpty else { throw InvalidValue(expected: "a value that is not empty") }
            return try notation.read(text)
        } catch {
            let found = isSecret || text.isEmpty ? "" : ", found \(text.quoted)"
            issues.append(SettingsIssue(origin, "expected \(error.expectation)\(found)", suggestion: error.suggestion))
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

/// Why a file could not be read, without its path, which might be a password that went astray.
package struct FileFailure: Error, Sendable {
    package let isMissing: Bool
    /// The system's own words.
    package let reason: String

    package init(isMissing: Bool, reason: String) {
        self.isMissing = isMissing
        self.reason = reason
    }
}
