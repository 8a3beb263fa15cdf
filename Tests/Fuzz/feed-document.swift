// fuzzes: Values JSON Resolve Layout Items/Item Feeds/Documents
import Feeds
import JSON

/// Fuzzes a feed document. A valid one must be equal after its canonical form is read, and an invalid one must have issues.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(JSONError) {
        check(try FeedDocument(parsing: source))
    } catch {
        precondition(!error.issues.isEmpty)
    }
    return 0
}

private func check(_ feed: FeedDocument) {
    let canonical = feed.canonical()
    do throws(JSONError) {
        let again = try FeedDocument(parsing: canonical, limits: .ownOutput)
        precondition(again == feed && again.canonical() == canonical)
    } catch {
        preconditionFailure("\(error)")
    }
}
