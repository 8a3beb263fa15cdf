package import HTTPMessages

package struct ServerLimits: Sendable {
    package var head = HTTP1Limits()
    package var http2 = HTTP2Limits()
    /// Open at once, on all loops together.
    package var connections = 10_000
    /// Of one client, by its address or its /64 network, on all loops together.
    package var connectionsPerAddress = 1_000
    /// Whose connections are many clients' or the operator's, and have no limit of their own.
    package var exempt = TrustedProxies([])
    /// Being answered by tasks at once, on each loop.
    package var requestsInFlight = 1_000
    /// Answers that are streamed at once, on each loop.
    package var eventStreams = 5_000
    /// The bytes of request bodies in memory, on each loop.
    package var bodyBytes = 64 << 20
    /// From a request's first byte to the end of its head.
    package var headers = Duration.seconds(10)
    package var body = Duration.seconds(30)
    /// Between two requests of a connection.
    package var idle = Duration.seconds(75)
    /// Without a byte taken by the client.
    package var write = Duration.seconds(30)
    /// For the answer of a task.
    package var request = Duration.seconds(10)
    /// With more than this unsent nothing more is read from the connection.
    package var outputBufferBytes = 256 * 1_024
    /// For a client whose request was refused to take the answer.
    package var linger = Duration.seconds(2)

    /// For a task that has kept to its deadline to say so itself.
    static let lastWord = Duration.milliseconds(100)

    package init() {}
}
