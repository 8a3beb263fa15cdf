/// A parser of the host and port in the Host header and in URLs.
package enum Authority {
    /// Returns the host in lower case, without its port.
    package static func host(of bytes: Span<UInt8>) throws(RequestError) -> String {
        var end = 0
        if !bytes.isEmpty, bytes[0] == UInt8(ascii: "[") {
            end = 1
            while end < bytes.count, bytes[end].isAddress { end += 1 }
            guard end > 2, end < bytes.count, bytes[end] == UInt8(ascii: "]") else { throw refusal }
            end += 1
        } else {
            while end < bytes.count, bytes[end].isHost { end += 1 }
            guard end > 0 else { throw refusal }
        }
        if end < bytes.count {
            guard bytes[end] == UInt8(ascii: ":"), bytes.count - end <= 6 else { throw refusal }
            for place in (end + 1)..<bytes.count where !bytes[place].isDigit { throw refusal }
        }
        let host = bytes.extracting(first: end)
        for place in 0..<end where host[place] != host[place].lowercased { return host.lowercasedText }
        return host.text
    }

    private static var refusal: RequestError { RequestError(.badRequest, "the host is malformed") }
}

extension UInt8 {
    /// Whether the byte is allowed within the brackets of an IPv6 address.
    fileprivate var isAddress: Bool { hexadecimalDigit != nil || self == UInt8(ascii: ":") || self == UInt8(ascii: ".") }

    fileprivate var isHost: Bool {
        isDigit || (0x61...0x7A).contains(lowercased) || self == UInt8(ascii: "-") || self == UInt8(ascii: ".") || self == UInt8(ascii: "_")
    }
}
