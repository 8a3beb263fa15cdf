import EventLoop
import Host
import Postgres

/// A measurement of the time until a steady client sees a committed change.
final class Probe: Sendable {
    private struct Mark {
        let number: Int
        let time: ContinuousClock.Instant
    }

    private let timeout: Duration
    private let weather: Chaos.Weather
    private let outcome: StressOutcome
    private let mark = Locked<Mark?>(nil)

    init(timeout: Duration, _ weather: Chaos.Weather, _ outcome: StressOutcome) {
        self.timeout = timeout
        self.weather = weather
        self.outcome = outcome
    }

    /// Writes the next number once the previous one was seen.
    func write(to site: StressSite, on loop: EventLoop, while isToGoOn: () -> Bool) async throws {
        var number = 10
        while isToGoOn() {
            do throws(PostgresError) {
                let connection = try await PostgresConnection.connect(site.configuration, on: loop, until: .after(.seconds(20)))
                defer { connection.close() }
                while isToGoOn() {
                    if mark.withLock({ $0 == nil }) {
                        number += 1
                        try await connection.run(
                            PostgresQuery(
                                "probe", "UPDATE vitrine.items SET rating_count = $1 WHERE slug = '\(StressSite.probe)'", number),
                            until: .after(.seconds(20)))
                        let written = Mark(number: number, time: .now)
                        mark.withLock { $0 = written }
                    }
                    try await pause(loop)
                    reportLate()
                }
            } catch {
                try await loop.sleep(until: .after(.milliseconds(50)))
            }
        }
    }

    private func pause(_ loop: EventLoop) async throws(PostgresError) {
        do throws(EventLoopError) { try await loop.sleep(until: .after(.milliseconds(50))) } catch {
            throw PostgresError(.cancelled, "stopped")
        }
    }

    /// Checks the client's current value.
    func inspect(_ client: StressClient) {
        guard let mark = mark.withLock({ $0 }), let received = client.count(of: StressSite.probeKey), received >= mark.number else {
            return
        }
        self.mark.withLock { $0 = nil }
        judge(mark)
    }

    private func reportLate() {
        guard let mark = mark.withLock({ $0 }), mark.time.duration(to: .now) > .seconds(60) else { return }
        outcome.violate(.fresh, "what was committed a minute ago is not seen")
    }

    private func judge(_ mark: Mark) {
        // Recovery from a failure takes time, which another test measures.
        guard weather.hasBeenFair(since: mark.time - .seconds(3)) else { return }
        let time = mark.time.duration(to: .now)
        outcome.took(time, "what is committed is seen")
        outcome.count("probes")
        outcome.expect(time <= timeout, .fresh, "what is committed is seen after \(time)")
    }
}
