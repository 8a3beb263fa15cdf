package import HTTPMessages

/// What the log and the client know a request by.
package struct RequestID: Sendable, Hashable {
    package let text: String

    /// The client's own where it is one: 1 to 128 letters, digits and `-_.:`; a new one else.
    package init(_ head: RequestHead) {
        let given = head.fields.withFirst(.xRequestID) { value in
            (1...128).contains(value.count) && value.isRequestID ? value.text : nil
        }
        text = (given ?? nil) ?? Self.random()
    }

    private static func random() -> String {
        let number = UInt64.random(in: .min ... .max)
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

extension Span<UInt8> {
    fileprivate var isRequestID: Bool {
        for index in 0..<count {
            switch self[index] {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F, 0x2E, 0x3A: continue
            default: return false
            }
        }
        return true
    }
}
