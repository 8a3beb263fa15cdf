package import HTTPMessages

package struct ServerLimits: Sendable {
    package var head = HTTP1Limits()
    package var http2 = HTTP2Limits()
    /// The maximum number of open connections on all loops together.
    package var connections = 10_000
    /// The maximum number of connections of one client on all loops, by its address or /64 network.
    package var connectionsPerAddress = 1_000
    /// The proxies and operators without a limit per address.
    package var exempt = TrustedProxies([])
    /// The maximum number of requests that tasks process at the same time, on each loop.
    package var requestsInFlight = 1_000
    /// The maximum number of streamed responses at the same time, on each loop.
    package var eventStreams = 5_000
    /// The maximum bytes of request bodies in memory, on each loop.
    package var bodyBytes = 64 << 20
    /// The time from the first byte of a request to the end of its head.
    package var headers = Duration.seconds(10)
    package var body = Duration.seconds(30)
    /// The time between two requests of a connection.
    package var idle = Duration.seconds(75)
    /// The time without progress of the output.
    package var write = Duration.seconds(30)
    /// The time for a task to respond.
    package var request = Duration.seconds(10)
    /// The unsent bytes above which nothing more is read from the connection.
    package var outputBufferBytes = 256 * 1_024
    /// The time for a rejected client to read the response.
    package var linger = Duration.seconds(2)

    /// The time for a task to report that it kept its deadline.
    static let finalResponseTimeout = Duration.milliseconds(100)

    package init() {}
}
