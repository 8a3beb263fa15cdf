internal import JSON

/// A decoder of untrusted response bodies. Invalid input throws and never traps.
struct ResponseDecoder {
    /// The reason why a body is invalid.
    struct InvalidResponse: Error, Equatable {
        let reason: String
    }

    private static let limits = JSONLimits(bytes: 128 << 20, depth: 64, keyBytes: 1_024, values: 32_000_000)
    /// The maximum length of a kind, ID, hash or cursor in bytes.
    static let wordBytes = 1_024

    let root: JSONNode

    init(_ body: [UInt8]) throws(InvalidResponse) {
        do throws(JSONError) {
            root = try JSONDocument(parsing: body, limits: Self.limits).root
        } catch {
            throw InvalidResponse(reason: "it is not JSON: \(error.issues.first?.message ?? "")")
        }
        guard root.kind == .object else { throw InvalidResponse(reason: "it is not an object") }
    }
}

extension JSONNode {
    /// Returns a nonempty string without control characters.
    func identifier(_ key: String) throws(ResponseDecoder.InvalidResponse) -> String {
        guard let text = self[key]?.string, !text.isEmpty, text.utf8.count <= ResponseDecoder.wordBytes,
            text.utf8.allSatisfy({ $0 >= 0x20 })
        else { throw ResponseDecoder.InvalidResponse(reason: "the field \(key) is missing or invalid") }
        return text
    }

    func bool(_ key: String) throws(ResponseDecoder.InvalidResponse) -> Bool {
        guard let bool = self[key]?.bool else { throw ResponseDecoder.InvalidResponse(reason: "the field \(key) is missing or invalid") }
        return bool
    }

    func count(_ key: String, in range: ClosedRange<Int> = 0...(.max)) throws(ResponseDecoder.InvalidResponse) -> Int {
        guard let count = self[key]?.integer, range.contains(count) else {
            throw ResponseDecoder.InvalidResponse(reason: "the field \(key) is missing or invalid")
        }
        return count
    }

    func list(_ key: String) throws(ResponseDecoder.InvalidResponse) -> JSONElements {
        guard let list = self[key], list.kind == .array else {
            throw ResponseDecoder.InvalidResponse(reason: "the list \(key) is missing or invalid")
        }
        return list.elements
    }
}
