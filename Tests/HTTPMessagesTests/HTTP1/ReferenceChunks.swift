/// A chunked body, read in a simple way: as a whole, line by line.
struct ReferenceChunks {
    private(set) var data: [UInt8] = []
    private var rest: ArraySlice<UInt8>

    /// Returns nil if the bytes do not start with a complete and well-formed body.
    init?(_ bytes: [UInt8]) {
        rest = bytes[...]
        while let line = popLine(), let size = Self.size(line) {
            if size == 0 {
                guard popTrailers() else { return nil }
                return
            }
            guard rest.count >= size + 2, rest.dropFirst(size).starts(with: [0x0D, 0x0A]) else { return nil }
            data += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        return nil
    }

    /// The index at which the body ends.
    var end: Int { rest.startIndex }

    private mutating func popTrailers() -> Bool {
        while let line = popLine() {
            if line.isEmpty { return true }
            guard line.wholeMatch(of: /[!#$%&'*+.^_`|~0-9A-Za-z\-]+:[\t\x20-\x7E\x{80}-\x{FF}]*/.matchingSemantics(.unicodeScalar)) != nil
            else { return false }
        }
        return false
    }

    /// Removes a line and returns it as Latin-1, so that each byte is a scalar.
    private mutating func popLine() -> String? {
        guard let end = rest.indices.first(where: { rest[$0...].starts(with: [0x0D, 0x0A]) }) else { return nil }
        defer { rest = rest[(end + 2)...] }
        return String(latin1: rest[..<end])
    }

    private static func size(_ line: String) -> Int? {
        let match = line.wholeMatch(of: /([0-9A-Fa-f]{1,15})(;[\t\x20-\x7E\x{80}-\x{FF}]*)?/.matchingSemantics(.unicodeScalar))
        return match.flatMap { Int($0.1, radix: 16) }
    }
}

extension String {
    /// Creates a string with one scalar per byte.
    init(latin1 bytes: some Sequence<UInt8>) {
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
        self.init(scalars)
    }
}
