package import EventLoop

/// Hears what is said with NOTIFY on some channels, and connects again whenever its session ends.
///
/// A notification is a hint to look and never the news itself: those from the time without a session are lost. A session whose other
/// side is gone without a word is noticed by asking.
package struct PostgresListener: Sendable {
    private let configuration: PostgresConfiguration
    private let channels: [String]
    private let timing: ListenerTiming

    package init(_ configuration: PostgresConfiguration, channels: [String], timing: ListenerTiming = ListenerTiming()) {
        self.configuration = configuration
        self.channels = channels
        self.timing = timing
    }

    /// Listens until its task is cancelled or the loop stops. To be called by a task that prefers the loop, on which `hear` is called as well.
    package func run(on loop: EventLoop, _ hear: (ListenerEvent) -> Void) async {
        // Boxed: what has no size has no address of its own, and the thread sanitizer takes all of them for one.
        var random: any RandomNumberGenerator = SystemRandomNumberGenerator()
        var failures = 0
        while !Task.isCancelled {
            let error = await session(on: loop) { event in
                failures = 0
                hear(event)
            }
            guard error.code != .cancelled else { return }
            hear(.lost(error))
            failures += 1
            do throws(EventLoopError) {
                let pause = timing.backOff.pause(afterFailures: failures, random: &random)
                try await loop.sleep(until: .after(pause), named: "postgres: pause before listening again")
            } catch {
                return
            }
        }
    }

    /// From connecting to the error that ends it.
    private func session(on loop: EventLoop, _ hear: (ListenerEvent) -> Void) async -> PostgresError {
        do throws(PostgresError) {
            let deadline = Deadline.after(timing.attempt)
            let connection = try await PostgresConnection.connect(configuration, on: loop, until: deadline)
            defer { connection.close() }
            try await connection.run(channels.map(Self.listen), until: deadline)
            hear(.mayHaveMissed)
            while true {
                let notifications = try await connection.notifications(until: .after(timing.silence))
                for notification in notifications { hear(.notified(notification)) }
                guard notifications.isEmpty else { continue }
                try await connection.run(PostgresQuery("heartbeat", "SELECT"), until: .after(timing.timeout))
            }
        } catch {
            return error
        }
    }

    private static func listen(_ channel: String) -> PostgresQuery {
        PostgresQuery("listen", "LISTEN \"\(channel.replacing("\"", with: "\"\""))\"", isPrepared: false)
    }
}

package enum ListenerEvent: Sendable, Equatable {
    /// It listens from now on, and anything may have been said before: whoever relies on it looks for what has changed.
    case mayHaveMissed
    case notified(PostgresNotification)
    /// Nothing is heard until the next `mayHaveMissed`.
    case lost(PostgresError)
}

/// How soon a listener notices that nobody is there, and how soon it tries again.
package struct ListenerTiming: Sendable {
    /// After so long without a word the server is asked whether it is there.
    package var silence = Duration.seconds(5)
    /// For its answer.
    package var timeout = Duration.seconds(3)
    /// For an attempt to connect, however many addresses the server has, and to listen.
    package var attempt = Duration.seconds(5)
    package var backOff = BackOff(first: .milliseconds(100), longest: .seconds(1))

    package init() {}
}
