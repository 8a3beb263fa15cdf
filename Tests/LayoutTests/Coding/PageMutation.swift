import JSON
import TestSupport

/// Changes one random value of a document, as a later or faulty server might.
struct PageMutation {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func changed(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members) where !members.isEmpty && !chance(8):
            let index = Int.random(in: members.indices, using: &random)
            return .object(chance(6) ? reshaped(members, at: index) : replacing(members, at: index))
        case .array(var elements) where !elements.isEmpty && !chance(8):
            let index = Int.random(in: elements.indices, using: &random)
            if chance(6) { elements.remove(at: index) } else { elements[index] = changed(elements[index]) }
            return .array(elements)
        default: return anything()
        }
    }

    private mutating func replacing(_ members: [JSONValue.Member], at index: Int) -> [JSONValue.Member] {
        var members = members
        members[index] = .init(key: members[index].key, value: changed(members[index].value))
        return members
    }

    /// Adds, removes or renames a member.
    private mutating func reshaped(_ members: [JSONValue.Member], at index: Int) -> [JSONValue.Member] {
        var members = members
        let member = members.remove(at: index)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return members
        case 1: return members + [member, .init(key: "later", value: anything())]
        default: return members + [.init(key: member.key + "s", value: member.value)]
        }
    }

    private mutating func anything() -> JSONValue {
        let values: [JSONValue] = [
            .null, .bool(true), .integer(-1), .integer(0), .integer(.max), .number(1e308), .number(0.5), .string(""), .string("spiral"),
            .array([]), .array([.null]), .object([]), .object([.init(key: "spiral", value: .integer(3))]),
        ]
        return values[Int.random(in: values.indices, using: &random)]
    }

    /// Returns true with a probability of one in the given number.
    private mutating func chance(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &random) == 0 }
}
