/// What a living entity has.
public struct CopyContent: Sendable, Hashable {
    /// Of the published document, as the server tells it.
    public let hash: String
    /// Its document as canonical JSON; nil in a copy that keeps none.
    public let data: [UInt8]?

    public init(hash: String, data: [UInt8]?) {
        self.hash = hash
        self.data = data
    }
}
