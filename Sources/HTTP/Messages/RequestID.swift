package import HTTPMessages
internal import Synchronization

/// What the log and the client know a request by.
package struct RequestID: Sendable, Hashable {
    package let text: String

    /// A new one.
    package init() { text = Self.random() }

    /// The client's own where it is one: 1 to 128 letters, digits and `-_.:`; a new one else.
    package init(_ head: RequestHead) {
        let given = head.fields.withFirst(.xRequestID) { value in
            (1...128).contains(value.count) && value.isRequestID ? value.text : nil
        }
        text = (given ?? nil) ?? Self.random()
    }

    /// Begins anywhere, so that those of two processes do not meet. To ask the system for chance each time is a system call each time.
    private static let count = Atomic(UInt64.random(in: .min ... .max))

    /// One that no other request of this process has: a permutation of 64 bits, the finalizer of SplitMix64, over a count. Thirteen digits
    /// of 32 fit into a string that needs no memory of its own.
    private static func random() -> String {
        var number = count.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        number ^= number >> 31
        return unsafe String(unsafeUninitializedCapacity: 13) { digits in
            for place in 0..<13 {
                let digit = UInt8(truncatingIfNeeded: number >> (60 - 5 * UInt64(place)) & 0x1F)
                unsafe digits[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
            }
            return 13
        }
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
