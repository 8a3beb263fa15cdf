/// The way in which a proxy relays the bytes of its connections, in both directions.
package enum ProxyBehaviour: Sendable {
    case pass
    /// Delays each chunk.
    case delay(Duration)
    /// Relays the given number of bytes at a time, with a pause before each part.
    case trickle(bytes: Int, pause: Duration)
    /// Holds bytes back until one direction has the given number, and then relays them together. The rest follows at the end.
    case gather(bytes: Int)
    /// Receives everything and relays nothing, like a network that has lost the other side. A connection that has lost bytes stays
    /// silent. The end of a connection is still relayed.
    case silence
    /// Resets a connection once it has relayed the given number of bytes in both directions together.
    case cut(afterBytes: Int)
    /// Resets a connection instead of relaying the response to a request with one of these methods. Every second such request gets its
    /// response.
    case dropResponses(to: [String])
}
