/// What the server has at its head, to prove a copy by.
public struct HeadResponse: Sendable, Equatable {
    public let head: Int
    public let entries: Int
    /// As a copy's digest describes itself.
    public let digest: String

    /// Nil where the body is no such answer.
    public init?(_ body: [UInt8]) {
        do throws(ResponseDecoder.Refusal) {
            let root = try ResponseDecoder(body).root
            head = try root.count("head")
            entries = try root.count("entries")
            digest = try root.word("digest")
        } catch { return nil }
    }
}
