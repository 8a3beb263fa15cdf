/// The name and port of a server, as the Host header and URLs have it.
package enum Authority {
    /// The host in lower case, without its port.
    package static func host(of bytes: Span<UInt8>) throws(Refusal) -> String {
        var end = bytes.count
        var index = 0
        if bytes.count > 0, bytes[0] == UInt8(ascii: "[") {
            while index < bytes.count, bytes[index] != UInt8(ascii: "]") { index += 1 }
            guard index < bytes.count, index > 2 else { throw refusal }
            for place in 1..<index where bytes[place].hexadecimalDigit == nil && bytes[place] != 0x3A && bytes[place] != 0x2E {
                throw refusal
            }
            index += 1
        } else {
            while index < bytes.count, bytes[index].isHost { index += 1 }
            guard index > 0 else { throw refusal }
        }
        end = index
        if index < bytes.count {
            guard bytes[index] == UInt8(ascii: ":"), bytes.count - index <= 6 else { throw refusal }
            for place in (index + 1)..<bytes.count where !bytes[place].isDigit { throw refusal }
        }
        var host: [UInt8] = []
        for place in 0..<end { host.append(bytes[place].lowercased) }
        return String(decoding: host, as: UTF8.self)
    }

    private static var refusal: Refusal { Refusal(.badRequest, "the host is malformed") }
}

extension UInt8 {
    fileprivate var isHost: Bool {
        isDigit || (0x61...0x7A).contains(lowercased) || self == UInt8(ascii: "-") || self == UInt8(ascii: ".") || self == UInt8(ascii: "_")
    }
}
