internal import JSON
internal import Synchronization

/// A published document that is parsed when a rendering first needs it. Most items that a feed reads are for clients of other
/// platforms.
final class DeferredDocument: Sendable {
    final class Parsed: Sendable {
        /// The document, or an empty object if the text cannot be parsed.
        let document: JSONDocument
        /// A search in the document, from its first member.
        let fields: JSONMemberSearch
        /// The error of a text that cannot be parsed. An outline does not show it if an object inside a member has a key twice.
        let failure: JSONError?

        fileprivate init(_ document: JSONDocument, failure: JSONError? = nil) {
            self.document = document
            fields = JSONMemberSearch(document.root)
            self.failure = failure
        }
    }

    let source: [UInt8]
    private let stored = AtomicLazyReference<Parsed>()

    init(_ source: [UInt8]) { self.source = source }

    init(_ document: JSONDocument) {
        source = document.source
        _ = stored.storeIfNil(Parsed(document))
    }

    var parsed: Parsed {
        if let parsed = stored.load() { return parsed }
        do throws(JSONError) {
            return stored.storeIfNil(Parsed(try JSONDocument(parsing: source, limits: .published)))
        } catch {
            return stored.storeIfNil(Parsed(Self.unreadable, failure: error))
        }
    }

    private static let unreadable: JSONDocument = {
        do throws(JSONError) {
            return try JSONDocument(parsing: "{}")
        } catch {
            preconditionFailure("an empty object is JSON: \(error)")
        }
    }()
}
