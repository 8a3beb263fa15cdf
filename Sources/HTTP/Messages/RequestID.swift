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
                unsafe Self.write(number, over: UnsafeMutableRawBufferPointer(buffer))
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
        case .server(let number):
            let start = bytes.count
            bytes.append(contentsOf: repeatElement(0, count: Self.digitCount))
            unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe Self.write(number, over: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
            }
        case .client(let text): bytes.append(contentsOf: text.utf8)
        }
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
    fileprivate init(reserved first: UInt64, _ index: Int) { self.init(.server(Self.number(first, index))) }

    fileprivate static func number(_ first: UInt64, _ index: Int) -> UInt64 {
        var number = first &+ step &* UInt64(index)
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }

    /// The number of base-32 digits of an ID.
    static let digitCount = 13

    /// Writes the digits of a number over the start of the bytes: two words of eight digits, which overlap.
    static func write(_ number: UInt64, over bytes: UnsafeMutableRawBufferPointer) {
        precondition(bytes.count >= digitCount, "an ID needs \(digitCount) bytes")
        unsafe bytes.storeBytes(of: digits(number >> 25).bigEndian, as: UInt64.self)
        unsafe bytes.storeBytes(of: digits(number).bigEndian, toByteOffset: digitCount - 8, as: UInt64.self)
    }

    /// Returns the last eight digits of a number, one in each byte, the last one in the lowest byte.
    private static func digits(_ number: UInt64) -> UInt64 {
        // Each step halves the groups of bits: 20 bits in 32, 10 in 16, 5 in 8.
        var digits = number & 0xF_FFFF | (number >> 20 & 0xF_FFFF) << 32
        digits = digits & 0x0000_03FF_0000_03FF | (digits & 0x000F_FC00_000F_FC00) << 6
        digits = digits & 0x001F_001F_001F_001F | (digits & 0x03E0_03E0_03E0_03E0) << 3
        let letters = (digits &+ 0x7676_7676_7676_7676) >> 7 & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ letters &* UInt64(UInt8(ascii: "a") - 10 - UInt8(ascii: "0"))
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

    /// Writes the digits of an ID over the start of the bytes.
    func write(_ index: Int, over bytes: UnsafeMutableRawBufferPointer) {
        unsafe RequestID.write(RequestID.number(first, index), over: bytes)
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
