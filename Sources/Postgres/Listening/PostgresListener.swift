package import EventLoop

/// A listener for NOTIFY messages on some channels, which reconnects whenever its session ends.
///
/// A notification is only a hint to query for changes, because notifications without a session are lost. A periodic
/// query detects a server that is gone without closing the connection.
package struct PostgresListener: Sendable {
    private let configuration: PostgresConfiguration
    private let channels: [String]
    private let timing: ListenerTiming

    package init(_ configuration: PostgresConfiguration, channels: [String], timing: ListenerTiming = ListenerTiming()) {
        self.configuration = configuration
        self.channels = channels
        self.timing = timing
    }

    /// Listens until its task is canceled or the loop stops. Call it from a task that prefers the loop. `hear` runs on
    /// the loop too.
    package func run(on loop: EventLoop, _ hear: (ListenerEvent) -> Void) async {
        // Boxed: a zero-sized value has no address of its own, and the thread sanitizer takes all of them for one.
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

    /// Runs one session and returns the error that ended it.
    private func session(on loop: EventLoop, _ hear: (ListenerEvent) -> Void) async -> PostgresError {
        do throws(PostgresError) {
            let deadline = Deadline.after(timing.attempt)
            let connection = try await PostgresConnection.connect(configuration, on: loop, until: deadline)
            defer { connection.close() }
            try await connection.listen(to: channels, until: deadline)
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
}

package enum ListenerEvent: Sendable, Equatable {
    /// Listening has started. Earlier notifications may be lost, so the receiver must query for changes.
    case mayHaveMissed
    case notified(PostgresNotification)
    /// No notification arrives until the next `mayHaveMissed`.
    case lost(PostgresError)
}

/// The timing with which a listener detects a lost server and reconnects.
package struct ListenerTiming: Sendable {
    /// The time without notifications after which the server is probed.
    package var silence = Duration.seconds(5)
    /// The time limit of a probe.
    package var timeout = Duration.seconds(3)
    /// The time limit of one attempt to connect and listen, over all addresses of the server.
    package var attempt = Duration.seconds(5)
    package var backOff = BackOff(first: .milliseconds(100), longest: .seconds(1))

    package init() {}
}
