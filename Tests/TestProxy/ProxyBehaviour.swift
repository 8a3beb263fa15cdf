/// What a proxy does with the bytes of its connections, in both directions.
package enum ProxyBehaviour: Sendable {
    case pass
    /// Holds each chunk back for a while.
    case delay(Duration)
    /// Passes so many bytes at a time, with a pause before each of them.
    case trickle(bytes: Int, pause: Duration)
    /// Holds back what comes until so many bytes of one direction are together, and passes them at once; the rest at the end.
    case gather(bytes: Int)
    /// Takes everything and passes nothing, as a network that has lost the other side; what has lost something stays silent. The end of a
    /// connection is still passed on.
    case silence
    /// Resets a connection when it has passed so many bytes since its beginning, both directions together.
    case cut(afterBytes: Int)
    /// Resets a connection in place of the answer to a request of one of these methods, and lets the next such request have its own.
    case dropResponses(to: [String])
}
