/// What follows the head of a response.
package enum Body: Sendable {
    case empty
    case stored(SharedBytes)
    /// Written by a task while it is sent. One with a heartbeat has no end of its own, and is ended when the server is to stop.
    indirect case stream(heartbeat: Heartbeat? = nil, @Sendable (BodyWriter) async throws -> Void)

    package init(_ bytes: [UInt8]) { self = bytes.isEmpty ? .empty : .stored(SharedBytes(bytes)) }

    package init(_ text: String) { self.init(Array(text.utf8)) }

    /// Nil of a stream.
    package var count: Int? {
        switch self {
        case .empty: 0
        case .stored(let bytes): bytes.count
        case .stream: nil
        }
    }
}
