package import JSON
internal import Values

/// A record that is not imported, and the reason.
package struct Reject: Sendable, Equatable {
    /// The first line of the record in the file, from 1.
    package let line: Int
    /// The location of the invalid value: a JSON Pointer or the name of a column.
    package let location: Location
    package let code: JSONIssue.Code
    package let reason: String

    package enum Location: Sendable, Equatable {
        case pointer(String)
        case column(String)
    }

    package init(line: Int, location: Location = .pointer(""), code: JSONIssue.Code, reason: String) {
        self.line = line
        self.location = location
        self.code = code
        self.reason = reason
    }
}

extension Reject {
    /// Creates the reject of a record that uses an unknown name. `record` is the record as it was written, if its text is known.
    init(_ issue: Vocabulary.Issue, in record: JSONNode? = nil, line: Int) {
        self.init(line: line, location: .pointer(issue.pointer(in: record).description), code: issue.code, reason: issue.reason)
    }
}

extension Reject: JSONEncodable, JSONDecodable {
    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("line", line)
            switch location {
            case .pointer(let pointer): $0.member("pointer", pointer)
            case .column(let column): $0.member("column", column)
            }
            $0.member("code", code.rawValue)
            $0.member("message", reason)
        }
    }

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let line = object.required("line", as: Int.self)
        let (pointer, column) = (object.optional("pointer", as: String.self), object.optional("column", as: String.self))
        let code = object.required("code", as: String.self)
        let reason = object.required("message", as: String.self)
        try object.finish()
        self.init(
            line: try line(), location: column.map { .column($0) } ?? .pointer(pointer ?? ""), code: JSONIssue.Code(rawValue: try code()),
            reason: try reason())
    }
}

/// Prints a reject on one line of a terminal, whatever untrusted keys and values contain.
extension Reject: CustomStringConvertible {
    package var description: String {
        let location = locationText.isEmpty ? "" : " (\(locationText))"
        return "line \(line)\(location): \(reason.printable(limit: 300)) [\(code.rawValue)]"
    }

    /// The description of a record that is not part of a file.
    package var descriptionWithoutLine: String {
        let location = locationText.isEmpty ? "" : "\(locationText): "
        return "\(location)\(reason.printable(limit: 300)) [\(code.rawValue)]"
    }

    private var locationText: String {
        switch location {
        case .pointer(let text), .column(let text): text.printable(limit: 120)
        }
    }
}

extension JSONIssue.Code {
    /// The catalog does not have the name.
    package static let unknownReference: Self = "UNKNOWN_REFERENCE"
    /// Another item already has the value.
    package static let alreadyExists: Self = "ALREADY_EXISTS"
    /// A constraint of the database rejected the record.
    package static let constraintViolation: Self = "CONSTRAINT_VIOLATION"
    /// The text is not a record.
    package static let invalidRecord: Self = "INVALID_RECORD"
}
