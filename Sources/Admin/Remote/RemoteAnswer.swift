internal import JSON

/// What a server answers to a request that it took.
struct RemoteAnswer: Sendable {
    /// Nil where there is nothing to say.
    let document: JSONNode?
    /// Names the state that is told, for the change that is decided on it.
    let tag: String?
}
