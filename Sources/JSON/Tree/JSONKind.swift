/// The six kinds of JSON value; the raw value is what a message calls it.
package enum JSONKind: String, Sendable {
    case null
    case bool = "true or false"
    case number = "a number"
    case string = "a string"
    case array = "an array"
    case object = "an object"
}

extension JSONEntry.Tag {
    var isKey: Bool { self == .key || self == .escapedKey }

    var kind: JSONKind {
        switch self {
        case .null: .null
        case .false, .true: .bool
        case .integer, .fraction: .number
        case .string, .escapedString, .key, .escapedKey: .string
        case .array: .array
        case .object: .object
        }
    }
}
