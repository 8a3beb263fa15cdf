/// How soon a listener notices that nobody is there, and how soon it tries again.
package struct ListenerTiming: Sendable {
    /// After so long without a word the server is asked whether it is there.
    package var silence = Duration.seconds(5)
    /// For its answer.
    package var patience = Duration.seconds(3)
    /// For an attempt to connect, however many addresses the server has, and to listen.
    package var attempt = Duration.seconds(5)
    package var backOff = BackOff(first: .milliseconds(100), longest: .seconds(1))

    package init() {}
}
