package import HTTPMessages
internal import Synchronization

package struct RequestID: Sendable, Hashable {
    /// The origin of the ID. A number is cheap to pass, and becomes text only when it is written.
    private enum Origin: Hashable {
        case server(UInt64)
        case client(String)
    }

    private let origin: Origin

    private init(_ origin: Origin) { self.origin = origin }

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

    package init() { self.init(reserved: Self.reserve(1), 0) }

    /// Uses the client's ID if it is valid. Otherwise creates a new one. The lookup is not recorded, because each response has the
    /// ID of its own request.
    package init(_ head: borrowing RequestHead) {
        let given = head.fields.unrecorded.withFirst(.xRequestID) { value in Self.isValid(value) ? value.text : nil }
        if let given, let given {
            self.init(.client(given))
        } else {
            self.init()
        }
    }

    /// Whether a client's ID has 1 to 128 letters, digits and `-_.:`.
    static func isValid(_ value: Span<UInt8>) -> Bool { (1...128).contains(value.count) && value.isRequestID }

    func append(to bytes: inout [UInt8]) {
        switch origin {
        case .server(let number): for index in 0..<Self.digitCount { bytes.append(Self.digit(index, of: number)) }
        case .client(let text): bytes.append(contentsOf: text.utf8)
        }
    }

    /// Writes an ID of the server over the bytes from an index on, of which there are `digitCount`.
    func write(over bytes: inout [UInt8], at index: Int) {
        guard case .server(let number) = origin else { preconditionFailure("an ID of a client has another length") }
        var span = bytes.mutableSpan
        for digit in 0..<Self.digitCount { span[index + digit] = Self.digit(digit, of: number) }
    }

    /// The counter starts at a random number, so that the IDs of two processes differ. Asking the system for each
    /// random number would cost a system call.
    private static let counter = Atomic(UInt64.random(in: .min ... .max))
    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Returns the first of a number of values of the counter, which are a step apart.
    fileprivate static func reserve(_ count: Int) -> UInt64 {
        counter.wrappingAdd(step &* UInt64(count), ordering: .relaxed).oldValue &+ step
    }

    /// Creates the ID of a reserved value of the counter. It is unique in this process, because the finalizer of SplitMix64 is a
    /// permutation of 64 bits.
    fileprivate init(reserved first: UInt64, _ index: Int) {
        var number = first &+ Self.step &* UInt64(index)
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        self.init(.server(number ^ number >> 31))
    }

    /// The number of base-32 digits of an ID.
    static let digitCount = 13

    private static func digit(_ index: Int, of number: UInt64) -> UInt8 {
        let digit = UInt8(truncatingIfNeeded: number >> (60 - 5 * UInt64(index)) & 0x1F)
        return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
    }
}

/// IDs that a server makes together.
struct RequestIDs {
    let count: Int
    private let first: UInt64

    init(count: Int) {
        self.count = count
        first = RequestID.reserve(count)
    }

    subscript(index: Int) -> RequestID { RequestID(reserved: first, index) }
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
