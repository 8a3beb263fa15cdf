// fuzzes: HTTPMessages
import HTTPMessages

/// Fuzzes a list of tags, over several lines if the input has LF. The results for different tags must be consistent.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var fields = HTTPFields()
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
        fields.append(name: Array("if-none-match".utf8).span, value: Array(line).span)
        fields.append(name: Array("If-Match".utf8).span, value: Array(line).span)
    }
    let strong = EntityTagList(.ifMatch, of: fields, asks: EntityTag("a"), .strong)
    let weak = EntityTagList(.ifNoneMatch, of: fields, asks: EntityTag("a"), .weak)
    let none = EntityTagList(.ifNoneMatch, of: fields, asks: nil, .weak)
    precondition(none != .contains && strong != .absent)
    precondition(strong == weak || strong == .lacks && weak == .contains, "\(strong), and weakly \(weak)")
    precondition(none == weak || none == .lacks && weak == .contains, "\(none) of nothing, and \(weak) of a tag")
    if strong == .contains { precondition(bytes.indices.contains { bytes[$0...].starts(with: [0x22, 0x61, 0x22]) }) }
    for method in [HTTPMessages.Method.get, .put] {
        let outcome = Precondition(of: fields, method: method, current: EntityTag("a"))
        precondition((outcome == .notModified ? method == .get : true) && (none == .malformed ? outcome != .notModified : true))
    }
    return 0
}
