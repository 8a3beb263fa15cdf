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

/// The way in which the languages of a client decide its response, if nothing else about them does.
package struct LanguageChoice: Sendable {
    /// Returns the outcome of a value of `Accept-Language`, which is empty for a request without the field. Requests with equal outcomes
    /// get the same response. An outcome has the same meaning as long as the content stays the same.
    package let outcome: @Sendable (Span<UInt8>) -> String

    package init(_ outcome: @escaping @Sendable (Span<UInt8>) -> String) { self.outcome = outcome }
}

/// The permission to send a response to later requests, without asking the handler: to requests with the same bytes, and to those
/// with equal declared fields if the handler has looked up no other field (`FieldNameFilter.declared`). With a choice by languages, these
/// requests may have other languages with the same outcome.
package final class Repetition: Sendable {
    private let content: ContentGeneration
    private let generation: UInt64
    /// The time until which the response is valid if the content stays the same.
    let end: Deadline
    /// The existence of the representation from which the response was made; nil if it was made from none. After its cache has dropped
    /// it, a later request would get another one, perhaps in another coding.
    private let source: Representation.Existence?
    /// The way in which languages decide the response; nil if it depends on all of their bytes, or on none.
    let languages: LanguageChoice?
    private let observers: [Observer]

    private struct Observer: Sendable {
        let count: @Sendable (_ requests: Int, _ nanoseconds: Int64) -> Bool
        let record: @Sendable (RepeatedRequest, _ nanoseconds: Int64) -> Void
    }

    /// Creates a permission. `generation` is the number that the content had before the response was made. With a
    /// representation, the permission ends when it is released.
    package convenience init(
        of content: ContentGeneration, from generation: UInt64, _ representation: Representation? = nil, until end: Deadline,
        by languages: LanguageChoice? = nil
    ) {
        self.init(content, generation, representation?.existence, end, languages, [])
    }

    private init(
        _ content: ContentGeneration, _ generation: UInt64, _ source: Representation.Existence?, _ end: Deadline,
        _ languages: LanguageChoice?, _ observers: [Observer]
    ) {
        self.content = content
        self.generation = generation
        self.source = source
        self.end = end
        self.languages = languages
        self.observers = observers
    }

    /// Returns the permission with functions that are called for later requests, after their responses are written.
    ///
    /// `count` receives the number of equal requests that were answered together, and the duration of each. It returns whether each
    /// request must also be recorded. Only then are its ID and its client determined.
    package func observed(
        counting count: @escaping @Sendable (_ requests: Int, _ nanoseconds: Int64) -> Bool,
        recording record: @escaping @Sendable (RepeatedRequest, _ nanoseconds: Int64) -> Void
    ) -> Repetition {
        Repetition(content, generation, source, end, languages, observers + [Observer(count: count, record: record)])
    }

    /// Whether the content is the one from which the response was made.
    var isCurrent: Bool {
        guard content.current == generation else { return false }
        guard let source else { return true }
        return !source.isOver
    }

    /// Reports a number of equal requests to the observers. `request` is called for each request and for each observer that records it.
    func observe(_ requests: Int = 1, since began: Deadline, _ request: (_ index: Int) -> RepeatedRequest) {
        for place in observers.indices {
            let nanoseconds = Deadline.now.nanoseconds(since: began) / Int64(requests)
            guard observers[place].count(requests, nanoseconds) else { continue }
            for index in 0..<requests { observers[place].record(request(index), nanoseconds) }
        }
    }
}

/// A request that got a ready response.
package struct RepeatedRequest: Sendable {
    /// The client, which may be connected through a proxy.
    package let client: Request.Client
    package let id: RequestID

    package init(client: Request.Client, id: RequestID) {
        self.client = client
        self.id = id
    }
}
