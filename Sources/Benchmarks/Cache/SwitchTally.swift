import Values

/// The pages that a cache has served around the switches.
///
/// A response is sent at an unknown time after its request is sent and before it is received. A page violates a limit if both
/// times do. If only one of them does, a correct cache may have sent the page, so it is only counted.
struct SwitchTally: Sendable {
    /// The time after a switch at which no old page may be sent.
    private static let tolerance = Duration.seconds(1)

    var time = Duration.zero
    private(set) var responses = 0
    /// The responses without a page, or with a page that shows another revision than the one that is valid at its time.
    private(set) var wrong = 0
    /// The old pages that were requested more than a second after a switch.
    private(set) var late = 0
    /// The pages that were received before the switch from which they are valid.
    private(set) var early = 0
    /// The pages that were requested on one side of a limit and received on the other.
    private(set) var uncertain = 0
    /// The longest time after a switch at which an old page was received.
    private(set) var latest = Duration.zero
    /// The switches after which a new page was received.
    private(set) var seen: Set<Int> = []

    /// Adds a response. `sent` is the time at which its request was sent.
    mutating func add(_ response: ReceivedResponse, sent: Timestamp, received: Timestamp, _ schedule: SwitchSchedule) {
        responses += 1
        guard response.status == 200, let page = ScheduledPage(response.body) else {
            wrong += 1
            return
        }
        add(page, sent: sent, received: received, schedule)
    }

    mutating func add(_ page: ScheduledPage, sent: Timestamp, received: Timestamp, _ schedule: SwitchSchedule) {
        let count = schedule.switchesBefore(page)
        if !schedule.isRight(page, after: count) { wrong += 1 }
        if count > 0 {
            seen.insert(count)
            let start = schedule.switches[count - 1]
            if received < start { early += 1 } else if sent < start { uncertain += 1 }
        }
        guard count < schedule.switches.count else { return }
        let end = schedule.switches[count]
        latest = max(latest, end.duration(to: received))
        let limit = end.advanced(by: Self.tolerance)
        if sent > limit { late += 1 } else if received > limit { uncertain += 1 }
    }

    func checks(of cache: String, _ schedule: SwitchSchedule) -> [SoakCheck] {
        [
            SoakCheck(
                what: "\(cache): requests a second", found: (Double(responses) / (time / .seconds(1))).rounded(), unit: "/s",
                bar: .atLeast(190)),
            SoakCheck(
                what: "\(cache): starts and ends of takeovers", found: Double(seen.count), bar: .atLeast(Double(schedule.switches.count))),
            SoakCheck(what: "\(cache): responses with a wrong revision", found: Double(wrong), bar: .atMost(0)),
            SoakCheck(what: "\(cache): new pages before their time", found: Double(early), bar: .atMost(0)),
            SoakCheck(what: "\(cache): old pages more than a second after their time", found: Double(late), bar: .atMost(0)),
            SoakCheck(what: "\(cache): pages requested before such a limit and received after it", found: Double(uncertain), bar: nil),
            SoakCheck(
                what: "\(cache): the last receipt of an old page after its time", found: (latest / .milliseconds(1)).rounded(), unit: "ms",
                bar: nil),
        ]
    }
}
