package import HTTPMessages

/// What a client bears with.
package struct HTTPClientLimits: Sendable {
    package var head = HTTP1Limits()
    /// Of a body, before and behind its content coding.
    package var bodyBytes = 64 << 20
    /// For one address of the server to take the connection, encryption included.
    package var connect = Duration.seconds(10)

    package init() {}
}
