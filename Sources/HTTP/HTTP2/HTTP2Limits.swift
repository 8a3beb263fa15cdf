/// How much one client of HTTP/2 may ask for at once.
package struct HTTP2Limits: Sendable {
    /// Requests that are not answered yet.
    package var streams = 100
    /// Requests that a client may take back at once; a tenth of them is added each second.
    package var streamResets = 200
    /// Answers to SETTINGS and PING that the client leaves unread.
    package var controlFrames = 200

    package init() {}
}
