package import HTTPMessages
internal import Synchronization

package struct RequestID: Sendable, Hashable {
    /// The origin of the ID. A number is cheap to pass, and becomes text only when it is written.
    private enum Origin: Hashable {
        case server(UInt64)
        case client(String)
    }

    private let origin: Origin

    package var text: String {
        switch origin {
        case .server(let number):
            // Fits into a string without an allocation.
            unsafe String(unsafeUninitializedCapacity: Self.digitCount) { buffer in
                for index in 0..<Self.digitCount { unsafe buffer[index] = Self.digit(index, of: number) }
                return Self.digitCount
            }
        case .client(let text): text
        }
    }

    package init() { origin = .server(Self.random()) }

    /// Uses the client's ID if it is valid. Otherwise creates a new one. The lookup is not recorded, because each response has the
    /// ID of its own request.
    package init(_ head: borrowing RequestHead) {
        let given = head.fields.unrecorded.withFirst(.xRequestID) { value in Self.isValid(value) ? value.text : nil }
        origin = (given ?? nil).map(Origin.client) ?? .server(Self.random())
    }

    /// Whether a client's ID has 1 to 128 letters, digits and `-_.:`.
    static func isValid(_ value: Span<UInt8>) -> Bool { (1...128).contains(value.count) && value.isRequestID }

    func append(to bytes: inout [UInt8]) {
        switch origin {
        case .server(let number): for index in 0..<Self.digitCount { bytes.append(Self.digit(index, of: number)) }
        case .client(let text): bytes.append(contentsOf: text.utf8)
        }
    }

    /// The counter starts at a random number, so that the IDs of two processes differ. Asking the system for each
    /// random number would cost a system call.
    private static let count = Atomic(UInt64.random(in: .min ... .max))

    /// Returns a number that is unique in this process. It is a 64-bit permutation of a counter, the finalizer of
    /// SplitMix64.
    private static func random() -> UInt64 {
        var number = count.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }

    /// The number of base-32 digits of an ID.
    private static let digitCount = 13

    private static func digit(_ index: Int, of number: UInt64) -> UInt8 {
        let digit = UInt8(truncatingIfNeeded: number >> (60 - 5 * UInt64(index)) & 0x1F)
        return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
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
