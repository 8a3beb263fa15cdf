internal import JSON

/// The body of an answer as somebody else has written it: what it does not hold is refused and never a trap.
struct ResponseDecoder {
    /// Why a body is of no use, in words.
    struct Refusal: Error, Equatable {
        let reason: String
    }

    private static let limits = JSONLimits(bytes: 128 << 20, depth: 64, keyBytes: 1_024, values: 32_000_000)
    /// Of a kind, an id, a hash or a cursor.
    static let wordBytes = 1_024

    let root: JSONNode

    init(_ body: [UInt8]) throws(Refusal) {
        do throws(JSONError) {
            root = try JSONDocument(parsing: body, limits: Self.limits).root
        } catch {
            throw Refusal(reason: "it is not JSON: \(error.mistakes.first?.message ?? "")")
        }
        guard root.kind == .object else { throw Refusal(reason: "it is not an object") }
    }
}

extension JSONNode {
    /// A string that fits on a line.
    func word(_ key: String) throws(ResponseDecoder.Refusal) -> String {
        guard let word = self[key]?.string, !word.isEmpty, word.utf8.count <= ResponseDecoder.wordBytes,
            word.utf8.allSatisfy({ $0 >= 0x20 })
        else { throw ResponseDecoder.Refusal(reason: "there is no \(key)") }
        return word
    }

    func truth(_ key: String) throws(ResponseDecoder.Refusal) -> Bool {
        guard let truth = self[key]?.bool else { throw ResponseDecoder.Refusal(reason: "there is no \(key)") }
        return truth
    }

    func count(_ key: String, in range: ClosedRange<Int> = 0...(.max)) throws(ResponseDecoder.Refusal) -> Int {
        guard let count = self[key]?.integer, range.contains(count) else { throw ResponseDecoder.Refusal(reason: "there is no \(key)") }
        return count
    }

    func list(_ key: String) throws(ResponseDecoder.Refusal) -> JSONElements {
        guard let list = self[key], list.kind == .array else { throw ResponseDecoder.Refusal(reason: "there is no list of \(key)") }
        return list.elements
    }
}
