// fuzzes: HTTPMessages
import HTTPMessages

/// Fuzzes a request target. A valid one must match the result of a bytewise reader.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(RequestError) {
        let target = try RequestTarget(parsing: bytes.span)
        precondition(target.path.utf8.elementsEqual(bytes.prefix { $0 != UInt8(ascii: "?") }))
        let slashes = target.path.utf8.count { $0 == UInt8(ascii: "/") }
        precondition(target.segments.count == (target.path == "/" ? 0 : slashes))
        for text in target.segments + target.query.items.flatMap({ [$0.name, $0.value] }) { precondition(!text.utf8.contains(0)) }
        for segment in target.segments { precondition(segment != "." && segment != "..") }
        for item in target.query.items.prefix(3) { precondition(target.query.all(item.name).contains(item.value)) }
    } catch {
        precondition(error.status == .badRequest)
    }
    do throws(RequestError) {
        let host = try Authority.host(of: bytes.span)
        precondition(!host.isEmpty && host.utf8.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) })
    } catch {
        precondition(error.status == .badRequest)
    }
    return 0
}
