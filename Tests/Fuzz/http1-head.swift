// fuzzes: HTTPMessages
import HTTPMessages

/// Fuzzes a request head. The result must not depend on the pieces in which it arrives.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var reader = HTTP1HeadReader()
    let whole = outcome(reader.read(bytes.span))
    var slow = HTTP1HeadReader()
    var pieces = "incomplete"
    // Byte by byte at delimiters, otherwise in longer pieces for speed.
    var end = 0
    while end < bytes.count, pieces == "incomplete" {
        end += 1
        while end < bytes.count, bytes[end - 1].isLetter { end += 1 }
        pieces = outcome(slow.read(bytes.span.extracting(0..<end)))
    }
    precondition(pieces == whole, "\(pieces), and as a whole \(whole)")
    return 0
}

private func outcome(_ outcome: HTTP1HeadReader.Outcome) -> String {
    switch outcome {
    case .incomplete: return "incomplete"
    case .refused(let refusal):
        precondition(refusal.status.rawValue >= 400 && !refusal.reason.isEmpty)
        return refusal.description
    case .head(let head, let byteCount):
        check(head, byteCount)
        return "\(head.method) \(head.target) \(head.authority ?? "") \(head.framing) \(head.keepsAlive) \(head.fields.count) \(byteCount)"
    }
}

private func check(_ head: RequestHead, _ byteCount: Int) {
    precondition(byteCount <= 16_386 && head.fields.count <= 100)
    precondition(head.version == .http10 || head.fields.contains(.host))
    precondition(!head.target.segments.contains("..") && !head.target.segments.contains("."))
    precondition(!head.expectsContinue || head.framing != .none)
    if case .length(let length) = head.framing { precondition(length > 0 && !head.fields.contains(.transferEncoding)) }
    head.fields.forEach { name, value in
        precondition(!name.isEmpty)
        for index in 0..<value.count { precondition(value[index] >= 0x20 && value[index] != 0x7F || value[index] == 0x09) }
    }
    _ = Precondition(of: head.fields, method: head.method, current: EntityTag("a"))
    _ = AcceptedCodings(head.fields).preferred { _ in true }
    _ = AcceptedLanguages(head.fields)
}

extension UInt8 {
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(self) }
}
