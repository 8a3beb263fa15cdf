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

    /// The document, or an empty object if the text cannot be parsed.
    var document: JSONDocument {
        if let parsed = parsed.load() { return parsed }
        do throws(JSONError) {
            return parsed.storeIfNil(try parse())
        } catch {
            return parsed.storeIfNil(Self.unreadable)
        }
    }

    /// The error of a text that cannot be parsed. An outline does not show it if an object inside a member has a key twice.
    var failure: JSONError? {
        guard document === Self.unreadable else { return nil }
        do throws(JSONError) {
            _ = try parse()
            return nil
        } catch {
            return error
        }
    }

    private func parse() throws(JSONError) -> JSONDocument { try JSONDocument(parsing: source, limits: .published) }

    private static let unreadable: JSONDocument = {
        do throws(JSONError) {
            return try JSONDocument(parsing: "{}")
        } catch {
            preconditionFailure("an empty object is JSON: \(error)")
        }
    }()
}
