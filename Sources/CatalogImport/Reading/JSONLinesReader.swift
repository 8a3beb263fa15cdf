internal import JSON

/// The records of a file of JSON Lines; blank lines are none.
struct JSONLinesReader {
    private var lines: LineSplitter
    private let limit: Int

    init(limits: FileLimits) {
        limit = limits.record
        lines = LineSplitter(limit: limits.record)
    }

    mutating func take(_ bytes: ArraySlice<UInt8>, _ body: (RawRecord) -> Void) {
        lines.take(bytes) { number, line in Self.read(line, number, limit, body) }
    }

    mutating func end(_ body: (RawRecord) -> Void) {
        lines.end { number, line in Self.read(line, number, limit, body) }
    }

    private static func read(_ line: LineSplitter.Line, _ number: Int, _ limit: Int, _ body: (RawRecord) -> Void) {
        switch line {
        case .tooLong:
            body(RawRecord(Reject(line: number, code: .tooLarge, reason: "the line has more than \(limit) bytes")))
        case .whole(let bytes):
            // Some editors begin a file with it.
            let text = number == 1 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
            guard text.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return }
            body(RawRecord(line: number, text))
        }
    }
}
