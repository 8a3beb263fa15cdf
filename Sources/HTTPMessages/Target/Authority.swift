/// A parser of the host and port in the Host header and in URLs.
package enum Authority {
    /// Returns the host in lower case, without its port.
    package static func host(of bytes: Span<UInt8>) throws(RequestError) -> String {
        var end = 0
        if !bytes.isEmpty, bytes[0] == UInt8(ascii: "[") {
            end = 1
            while end < bytes.count, bytes[end].isAddress { end += 1 }
            guard end > 2, end < bytes.count, bytes[end] == UInt8(ascii: "]") else { throw error }
            end += 1
        } else {
            while end < bytes.count, bytes[end].isHost { end += 1 }
            guard end > 0 else { throw error }
        }
        if end < bytes.count {
            guard bytes[end] == UInt8(ascii: ":"), bytes.count - end <= 6 else { throw error }
            for index in (end + 1)..<bytes.count where !bytes[index].isDigit { throw error }
        }
        let host = bytes.extracting(first: end)
        for index in 0..<end where host[index] != host[index].lowercased { return host.lowercasedText }
        return host.text
    }

    private static var error: RequestError { RequestError(.badRequest, "the host is malformed") }
}

extension UInt8 {
    /// Whether the byte is allowed within the brackets of an IPv6 address.
    fileprivate var isAddress: Bool { hexadecimalDigit != nil || self == UInt8(ascii: ":") || self == UInt8(ascii: ".") }

    fileprivate var isHost: Bool {
        isDigit || (0x61...0x7A).contains(lowercased) || self == UInt8(ascii: "-") || self == UInt8(ascii: ".") || self == UInt8(ascii: "_")
    }
}
