import TestSupport

/// HTTP/2 frames as they are on the wire, including invalid ones.
enum Frames {
    enum Kind: UInt8 {
        case data, headers, priority, reset, settings, push, ping, goAway, window, continuation
    }

    struct Frame {
        let kind: UInt8
        let flags: UInt8
        let stream: UInt32
        let payload: [UInt8]

        func isOf(_ kind: Kind) -> Bool { self.kind == kind.rawValue }

        /// The values of a SETTINGS frame by their numbers.
        var settings: [UInt32: UInt32] {
            let starts = stride(from: 0, to: payload.count - 5, by: 6)
            return Dictionary(starts.map { (Frames.number(payload[$0..<($0 + 2)]), Frames.number(payload[($0 + 2)..<($0 + 6)])) }) { $1 }
        }

        /// The error code, which follows the last stream in GOAWAY and comes first in RST_STREAM.
        var code: UInt32 { Frames.number(payload.dropFirst(isOf(.goAway) ? 4 : 0).prefix(4)) }
    }

    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(.settings)

    static func frame(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        let head: [UInt8] = bytes(UInt32(payload.count)).dropFirst() + [kind.rawValue, flags]
        return head + bytes(stream) + payload
    }

    /// Returns a GET request that ends its stream and uses no dynamic table.
    static func get(_ path: String, stream: UInt32, more fields: [(String, String)] = []) -> [UInt8] {
        let pseudo: [UInt8] = [0x82, 0x86] + literal(4, path) + literal(1, "shop")
        return frame(.headers, flags: 0x5, stream: stream, pseudo + block(fields))
    }

    /// Returns a HEADERS frame with exactly these fields.
    static func headers(_ fields: [(String, String)], flags: UInt8 = 0x5, stream: UInt32 = 1) -> [UInt8] {
        frame(.headers, flags: flags, stream: stream, block(fields))
    }

    static func block(_ fields: [(String, String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (name, value) in fields { bytes += literal(0, name) + literal(nil, value) }
        return bytes
    }

    /// Returns a text, after the index of a name in the static table, if given.
    static func literal(_ index: UInt8?, _ text: String) -> [UInt8] {
        (index.map { [$0] } ?? []) + integer(text.utf8.count) + Array(text.utf8)
    }

    /// Returns an integer with a prefix of seven bits.
    private static func integer(_ number: Int) -> [UInt8] {
        guard number >= 127 else { return [UInt8(number)] }
        var bytes: [UInt8] = [127]
        var rest = number - 127
        while rest >= 128 {
            bytes.append(UInt8(rest % 128 + 128))
            rest /= 128
        }
        return bytes + [UInt8(rest)]
    }

    /// Returns a SETTINGS frame with these values by their numbers.
    static func settings(_ values: [(number: UInt16, value: UInt32)]) -> [UInt8] {
        frame(.settings, values.flatMap { bytes(UInt32($0.number)).suffix(2) + bytes($0.value) })
    }

    /// The representation of a field in a header block.
    enum FieldKind {
        case indexed, entersTable, leftOut, neverIndexed
    }

    /// Returns the kinds of the fields of a block in which all lengths and indices fit in a byte.
    static func fieldKinds(_ block: [UInt8]) -> [FieldKind] {
        var kinds: [FieldKind] = []
        var rest = block[...]
        while let first = rest.popFirst() {
            let (kind, index): (FieldKind, UInt8) =
                switch first {
                case 0x80...: (.indexed, 1)
                case 0x40...: (.entersTable, first & 0x3F)
                case 0x10...: (.neverIndexed, first & 0x0F)
                default: (.leftOut, first)
                }
            kinds.append(kind)
            // The name, if it has no index, and the value.
            for _ in 0..<(kind == .indexed ? 0 : index == 0 ? 2 : 1) { rest = rest.dropFirst(1 + Int((rest.first ?? 0) & 0x7F)) }
        }
        return kinds
    }

    /// A field of a header block as it is encoded. Equal fields have equal encodings if the header table is empty.
    struct EncodedField: Hashable {
        /// The index of the field or of its name, 0 if the name is a literal.
        let index: Int
        let isIndexed: Bool
        /// The literals with their lengths and whether they are compressed.
        let name: [UInt8]
        let value: [UInt8]
    }

    /// Returns the fields of a block. Changes of the table's size are left out.
    static func encodedFields(_ block: [UInt8]) -> [EncodedField] {
        var fields: [EncodedField] = []
        var rest = block[...]
        while let first = rest.first {
            let prefix =
                switch first {
                case 0x80...: 7
                case 0x40...: 6
                case 0x20...: 5
                default: 4
                }
            let index = popInteger(prefix, &rest)
            guard prefix != 5 else { continue }
            let name = prefix == 7 || index > 0 ? [] : popLiteral(&rest)
            fields.append(EncodedField(index: index, isIndexed: prefix == 7, name: name, value: prefix == 7 ? [] : popLiteral(&rest)))
        }
        return fields
    }

    /// Removes an integer from the start of the bytes. The bits before its prefix are left out.
    private static func popInteger(_ prefix: Int, _ bytes: inout ArraySlice<UInt8>) -> Int {
        let maxPrefix = 1 << prefix - 1
        var number = Int(bytes.popFirst() ?? 0) & maxPrefix
        guard number == maxPrefix else { return number }
        var shift = 0
        while let byte = bytes.popFirst() {
            number += Int(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { break }
        }
        return number
    }

    private static func popLiteral(_ bytes: inout ArraySlice<UInt8>) -> [UInt8] {
        let start = bytes
        let count = popInteger(7, &bytes)
        bytes = bytes.dropFirst(count)
        return Array(start.dropLast(bytes.count))
    }

    static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    /// Returns the complete frames.
    static func parse(_ bytes: [UInt8]) -> [Frame] {
        var frames: [Frame] = []
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let count = Int(number(head[..<3]))
            guard rest.count >= 9 + count else { break }
            let payload = Array(rest.dropFirst(9).prefix(count))
            frames.append(Frame(kind: head[3], flags: head[4], stream: number(head[5...]), payload: payload))
            rest = rest.dropFirst(9 + count)
        }
        return frames
    }
}

extension RawClient {
    /// Receives frames up to the first match, or to the end of the connection.
    func receiveFrames(until isLast: (Frames.Frame) -> Bool) throws -> [Frames.Frame] {
        var received: [UInt8] = []
        while true {
            let some = try receive()
            received += some
            let frames = Frames.parse(received)
            if some.isEmpty { return frames }
            if let end = frames.firstIndex(where: isLast) { return Array(frames[...end]) }
        }
    }
}
