internal import Feeds
import Host
internal import JSON
internal import Layout

struct ValidatedFile: Sendable {
    /// An issue or a finding with its location in the file.
    struct Note: Sendable {
        let severity: String
        let code: String
        let pointer: JSONPointer
        let position: JSONPosition?
        let message: String
        let help: String?
    }

    let name: String
    /// The document; nil if the text is invalid.
    let document: FeedDocument?
    private let text: JSONDocument?
    /// The issues of the text alone, in its order.
    let issues: [Note]

    init(name: String, bytes: [UInt8]) {
        self.name = name
        var text: JSONDocument?
        var document: FeedDocument?
        var issues: [Note] = []
        do throws(JSONError) {
            let parsed = try JSONDocument(parsing: bytes, limits: .feed, notation: .commented)
            text = parsed
            document = try parsed.decode(FeedDocument.self)
        } catch {
            issues = error.issues.map(Note.init)
        }
        self.text = text
        self.document = document
        self.issues = issues
    }

    /// Returns a finding with its location in the file. Its pointer refers to the canonical form, which sorts pins by
    /// slot.
    func note(_ finding: ReviewFinding) -> Note {
        let pointer = written(finding.pointer)
        var location = pointer
        var position: JSONPosition?
        while position == nil, let text {
            position = text[location]?.position
            if location.tokens.isEmpty { break }
            location = JSONPointer(tokens: location.tokens.dropLast())
        }
        return Note(
            severity: finding.severity.rawValue, code: finding.code.rawValue, pointer: pointer, position: position,
            message: finding.message,
            help: finding.help)
    }

    private func written(_ pointer: JSONPointer) -> JSONPointer {
        let tokens = pointer.tokens
        guard tokens.count >= 4, tokens[2] == "pins", let position = Int(tokens[3]),
            let pins = text?[JSONPointer(tokens: Array(tokens.prefix(3)))]?.elements.map({ $0["slot"]?.integer ?? 0 }),
            position < pins.count
        else { return pointer }
        let slot = pins.sorted()[position]
        guard let index = pins.firstIndex(of: slot) else { return pointer }
        return JSONPointer(tokens: tokens.prefix(3) + ["\(index)"] + tokens.dropFirst(4))
    }
}

extension ValidatedFile.Note {
    fileprivate init(_ issue: JSONIssue) {
        self.init(
            severity: "error", code: issue.code.rawValue, pointer: issue.pointer, position: issue.position, message: issue.message,
            help: issue.hint)
    }

    /// Returns the note in the form of compilers, so that editors can jump to the location.
    func line(in file: String) -> String {
        let location = position.map { ":\($0.line):\($0.column)" } ?? ""
        let path = pointer.tokens.isEmpty ? "" : "\(pointer): "
        // The remedy of a finding is a sentence, and the hint of the parser continues its message.
        let advice = help.map { "\(message.hasSuffix(".") ? "" : $0.first?.isUppercase == true ? "." : ";") \($0)" } ?? ""
        return "\(file)\(location): \(severity): \(path)\(message)\(advice) [\(code)]"
    }
}

extension ValidatedFile.Note: JSONObjectEncodable {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("severity", severity)
        json.member("code", code)
        json.member("pointer", pointer.description)
        json.member("line", position?.line)
        json.member("column", position?.column)
        json.member("message", message)
        json.member("hint", help)
    }
}
