internal import JSON
internal import Values

/// An entry of the audit as the server tells it, all of it.
struct AuditRow: Sendable, JSONEncodable {
    private let value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    func encode(to json: inout JSONWriter) { value.encode(to: &json) }

    /// What stands under a key, in an object within where there are two; empty where there is nothing.
    subscript(path: String...) -> String {
        var value = value
        for key in path {
            guard case .object(let members) = value, let found = members.first(where: { $0.key == key }) else { return "" }
            value = found.value
        }
        return switch value {
        case .string(let text): text.printable(limit: 500)
        case .integer(let number): "\(number)"
        default: ""
        }
    }

    static let columns: [ListPage<AuditRow>.Column] = [
        .init(title: "NUMBER", isWide: true) { $0["number"] }, .init(title: "AT") { "\($0["at"].prefix(19))Z" },
        .init(title: "ACTOR") { $0["actor", "name"] }, .init(title: "TOKEN", isWide: true) { $0["actor", "token"] },
        .init(title: "ACTION") { $0["action"] }, .init(title: "REQUEST", isWide: true) { $0["requestId"] },
        .init(title: "SUBJECT") { $0["subject"] },
    ]
}
