internal import JSON
internal import Synchronization

/// A published document that is parsed when a rendering first needs it. Most items that a feed reads are for clients of other
/// platforms.
final class DeferredDocument: Sendable {
    let source: [UInt8]
    private let parsed = AtomicLazyReference<JSONDocument>()

    init(_ source: [UInt8]) { self.source = source }

    init(_ document: JSONDocument) {
        source = document.source
        _ = parsed.storeIfNil(document)
    }

    var document: JSONDocument {
        if let parsed = parsed.load() { return parsed }
        do throws(JSONError) {
            return parsed.storeIfNil(try JSONDocument(parsing: source, limits: .published))
        } catch {
            // The database stores no text that is not JSON.
            return Self.empty
        }
    }

    private static let empty: JSONDocument = {
        do throws(JSONError) {
            return try JSONDocument(parsing: "{}")
        } catch {
            preconditionFailure("an empty object is JSON: \(error)")
        }
    }()
}
