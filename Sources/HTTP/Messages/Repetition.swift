package import EventLoop
internal import Synchronization

/// The number of the content from which a server makes its responses. It grows whenever the same request may get another
/// response.
package final class ContentGeneration: Sendable {
    private let number = Atomic<UInt64>(0)

    package init() {}

    package var current: UInt64 { number.load(ordering: .acquiring) }

    /// Ends the repetition of every earlier response.
    ///
    /// No response may show the changed content before this call. A response may have the number of an older generation than
    /// its content, and never that of a newer one. Content under a lock therefore changes its number under the same lock.
    package func advance() { _ = number.wrappingAdd(1, ordering: .sequentiallyConsistent) }
}

/// The permission to send a response to later requests with the same bytes, without asking the handler.
package final class Repetition: Sendable {
    private let content: ContentGeneration
    private let generation: UInt64
    /// The time until which the response is valid if the content stays the same.
    let end: Deadline
    private let source: Source?
    private let observers: [@Sendable (RepeatedRequest) -> Void]

    /// A representation that its cache may drop. A later request would then get another one, perhaps in another coding.
    private struct Source: Sendable {
        weak var representation: Representation?
    }

    /// `generation` is the number that the content had before the response was made. With a representation, the permission
    /// ends when it is released.
    package convenience init(
        of content: ContentGeneration, from generation: UInt64, _ representation: Representation? = nil, until end: Deadline
    ) {
        self.init(content, generation, representation.map { Source(representation: $0) }, end, [])
    }

    private init(
        _ content: ContentGeneration, _ generation: UInt64, _ source: Source?, _ end: Deadline,
        _ observers: [@Sendable (RepeatedRequest) -> Void]
    ) {
        self.content = content
        self.generation = generation
        self.source = source
        self.end = end
        self.observers = observers
    }

    /// Returns the permission with a function that is called for each later request, after its response is written.
    package func observed(by observe: @escaping @Sendable (RepeatedRequest) -> Void) -> Repetition {
        Repetition(content, generation, source, end, observers + [observe])
    }

    /// Whether the content is the one from which the response was made.
    var isCurrent: Bool {
        guard content.current == generation else { return false }
        guard let source else { return true }
        return source.representation != nil
    }

    func observe(_ request: RepeatedRequest) {
        for observe in observers { observe(request) }
    }
}

/// A request that got a ready response. Its bytes are those of an earlier request.
package struct RepeatedRequest: Sendable {
    package let peer: Request.Client
    package let id: RequestID
    package let began: Deadline

    package init(peer: Request.Client, id: RequestID, began: Deadline) {
        self.peer = peer
        self.id = id
        self.began = began
    }
}
