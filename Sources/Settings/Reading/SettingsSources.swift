internal import Arguments

package struct SettingsSources {
    package typealias ReadFile = (String) throws(FileFailure) -> [UInt8]

    /// A closure that returns the text of a flag, which is named without its dashes.
    let flagText: (String) -> String?
    let environment: [String: String]
    /// The names starting with `VITRINE_` that other parts of the program read.
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

    /// Sources without any value.
    static var none: SettingsSources {
        SettingsSources(flagText: { _ in nil }, environment: [:]) { _ throws(FileFailure) in
            throw FileFailure(isMissing: true, reason: "there are no files")
        }
    }

    /// Returns the text of a variable. An empty one counts as absent.
    func text(ofVariable name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Hides the environment, which holds secrets.
extension SettingsSources: CustomStringConvertible, CustomReflectable {
    package var description: String { "SettingsSources" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

struct SettingInput {
    /// A text with its location, which for an element of an array differs from the array's.
    struct Text {
        let text: String
        let origin: SettingOrigin
    }

    let origin: SettingOrigin
    /// The texts; never empty.
    let texts: [Text]

    /// Creates an input. The values of a list are separated by commas.
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

/// The reason that a file could not be read. It omits the path, which might be a misplaced password.
package struct FileFailure: Error, Sendable {
    package let isMissing: Bool
    /// The error message of the system.
    package let reason: String

    package init(isMissing: Bool, reason: String) {
        self.isMissing = isMissing
        self.reason = reason
    }
}
