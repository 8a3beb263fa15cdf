import Foundation

/// The sizes of a response's head and body.
struct ResponseExtent: Equatable {
    let head: Int
    let body: Int

    var size: Int { head + body }

    /// Finds the end of the head. Returns nil if it has not arrived. Throws if the response is not a 200 with a length.
    ///
    /// It is called once for a response, at most some hundred thousand times a second.
    init?(_ bytes: UnsafeRawBufferPointer) throws {
        guard let base = bytes.baseAddress else { return nil }
        var start = 0
        var length: Int?
        while let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start) {
            let end = base.distance(to: UnsafeRawPointer(found))
            let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            if start == 0 {
                guard line.count > 12, line.dropFirst(9).prefix(3).elementsEqual("200".utf8) else {
                    throw BenchmarkFailure(reason: "the response begins with \(String(decoding: line, as: UTF8.self))")
                }
            } else if line.count <= 1 {
                guard let length else { throw BenchmarkFailure(reason: "the response has no content length") }
                head = end + 1
                body = length
                return
            } else if let value = Self.length(line) {
                length = value
            }
            start = end + 1
        }
        return nil
    }

    private static let name = Array("content-length:".utf8)

    /// Returns the number of a line `content-length`. Returns nil if the line has another name.
    private static func length(_ line: UnsafeRawBufferPointer) -> Int? {
        guard line.count > name.count, zip(line, name).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else { return nil }
        return line.dropFirst(name.count).reduce(0) { sum, byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? 10 * sum + Int(byte - UInt8(ascii: "0")) : sum
        }
    }
}
