// fuzzes: HTTPMessages
import HTTPMessages

/// Fuzzes the lines of Accept-Encoding and Accept-Language.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var fields = HTTPFields()
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
        fields.append(name: Array("accept-encoding".utf8).span, value: Array(line).span)
        fields.append(name: Array("accept-language".utf8).span, value: Array(line).span)
    }
    let accepted = AcceptedCodings(fields)
    let best = accepted.preferred { _ in true }
    let others = accepted.preferred { $0 != best }
    precondition(best != nil || others == nil)
    precondition(best == nil || others != best)
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    if best != .identity, best != nil { precondition(["gzip", "br", "*"].contains { text.utf8Contains($0) }) }
    if best == nil { precondition(text.utf8Contains("identity") || text.utf8Contains("*")) }

    let tags = AcceptedLanguages(fields).tags
    precondition(tags.count <= AcceptedLanguages.limit)
    for tag in tags { precondition((1...35).contains(tag.utf8.count) && text.utf8Contains(tag)) }
    return 0
}

extension String {
    fileprivate func utf8Contains(_ word: String) -> Bool {
        let all = Array(utf8)
        let part = Array(word.utf8)
        return all.indices.contains { all[$0...].starts(with: part) }
    }
}
