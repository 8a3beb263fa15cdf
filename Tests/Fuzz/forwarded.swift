// fuzzes: HTTPMessages
import HTTPMessages

/// Fuzzes the header of a proxy, over several lines if the input has LF. Addresses that a client adds before it must not change the
/// result.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let proxies = TrustedProxies(["10.0.0.0/8", "fd00::/8", "unix"].compactMap { TrustedProxy($0) })
    let found = proxies.client(fields(bytes))
    _ = proxies.isEncrypted(fields(bytes))
    if let found {
        precondition(IPAddress(found.description) == found, "\(found) is not itself")
        precondition(proxies.client(fields(Array("10.0.0.1, ".utf8) + bytes)) != nil)
        if !proxies.trust(peer: found.description) {
            for invention in ["192.0.2.9,", "10.0.0.1,", "what,", "\u{600},", "\n"] {
                precondition(proxies.client(fields(Array(invention.utf8) + bytes)) == found, "\(invention) changes \(found)")
            }
        }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if let proxy = TrustedProxy(text) { precondition(TrustedProxy(proxy.description) == proxy, "\(proxy) is not itself") }
    return 0
}

private func fields(_ bytes: [UInt8]) -> HTTPFields {
    var fields = HTTPFields()
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
        fields.append(name: Array("x-forwarded-for".utf8).span, value: Array(line).span)
        fields.append(name: Array("X-Forwarded-Proto".utf8).span, value: Array(line).span)
    }
    return fields
}
