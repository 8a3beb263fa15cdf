/// Finds the end of a request's head in bytes that come piece by piece, and looks at no byte twice until it is there.
///
/// Every line ends with CRLF. A bare CR or LF is refused as soon as it is seen, and so is a head that grows beyond the limits.
package struct HTTP1HeadReader: Sendable {
    package enum Answer: Sendable {
        /// More bytes are needed.
        case incomplete
        /// The head, and how many of the bytes it took.
        case head(RequestHead, byteCount: Int)
        case refused(Refusal)
    }

    private let limits: HTTP1Limits
    /// Where the request line begins, behind empty lines.
    private var start = 0
    private var scanned = 0
    private var lineStart = 0
    private var lineCount = 0

    package init(_ limits: HTTP1Limits = HTTP1Limits()) { self.limits = limits }

    /// Whether anything of the next request has come.
    package var hasBegun: Bool { scanned > start }

    /// Looks for a head at the beginning of bytes, which are those of the last call and more. To be used anew after it has found one.
    package mutating func read(_ bytes: Span<UInt8>) -> Answer {
        do throws(Refusal) {
            guard let end = try findEnd(bytes) else { return .incomplete }
            return .head(try HTTP1HeadParser.parse(bytes, start..<end, lineCount: lineCount, limits: limits), byteCount: end)
        } catch {
            return .refused(error)
        }
    }

    /// The place behind the empty line that ends the head.
    private mutating func findEnd(_ bytes: Span<UInt8>) throws(Refusal) -> Int? {
        while scanned < bytes.count {
            let byte = bytes[scanned]
            scanned += 1
            if byte == UInt8(ascii: "\n") {
                guard scanned - lineStart > 1, bytes[scanned - 2] == UInt8(ascii: "\r") else {
                    throw Refusal(.badRequest, "a line ends with LF alone")
                }
                if scanned - lineStart == 2 {
                    guard lineCount == 0 else { return scanned }
                    // An empty line in front of a request is left over from a sloppy client; more than one is none of ours.
                    guard start == 0 else { throw Refusal(.badRequest, "empty lines in front of a request") }
                    start = scanned
                } else {
                    lineCount += 1
                    guard lineCount <= limits.headerCount + 1 else {
                        throw Refusal(.headersTooLarge, "more than \(limits.headerCount) headers")
                    }
                }
                lineStart = scanned
            } else if scanned - lineStart > 1, bytes[scanned - 2] == UInt8(ascii: "\r") {
                throw Refusal(.badRequest, "a CR without LF")
            } else if lineCount == 0, scanned - lineStart == 1, !byte.isToken, byte != UInt8(ascii: "\r") {
                throw Refusal(.badRequest, "no method at the beginning of a request")
            }
            if lineCount == 0, scanned - lineStart > limits.targetBytes + 64 { throw Refusal(.targetTooLong, "a target that is too long") }
            if scanned - start > limits.headerBytes { throw Refusal(.headersTooLarge, "more than \(limits.headerBytes) bytes of headers") }
        }
        return nil
    }
}
