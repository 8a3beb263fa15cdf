import Testing
import Values

@testable import Benchmarks

@Suite("Pages from caches")
struct CacheTests {
    @Test("Many different clients get their pages from Varnish, which requests each page once a minute")
    func varnish() throws {
        var options = CacheOptions()
        options.clients = 20_000
        let checks = try CacheTrial.run(options, ProgressLine())
        #expect(checks.count > 8)
        for check in checks { #expect(check.isHeld, "\(check.cells) with the seed \(options.seed)") }
    }

    @Test("The place of a client in the model is that of the documentation")
    func places() {
        #expect(NaiveTarget.place(of: "a", in: "weekend") == 47)
        #expect(NaiveTarget.place(of: "client-1", in: "dark-mode") == 93)
        #expect(NaiveTarget.place(of: "ünïcode", in: "weekend") == 56)
    }

    @Test("The options of the command line are read, and unknown ones are rejected")
    func options() throws {
        let options = try CacheOptions(["--clients", "5", "--proxy", "url", "--switches", "2", "--remove-stale"])
        #expect(options.clients == 5 && options.proxy == .url && options.switches == 2 && options.removesStale)
        for invalid in [["--clients", "none"], ["--proxy", "squid"], ["--seed"], ["--tries", "1"]] {
            #expect(throws: BenchmarkOptions.Usage.self) { try CacheOptions(invalid) }
        }
    }
}

@Suite("The evaluation of takeovers in caches")
struct SwitchTests {
    private static func time(_ seconds: Double) -> Timestamp { Timestamp(clamping: Int(seconds * 1_000_000)) }

    /// A takeover from second 10 to second 14.
    private let schedule = SwitchSchedule(switches: [time(10), time(14)], revision: 3)

    private func tally(_ revision: Int, until end: Double?, sent: Double, received: Double? = nil) -> SwitchTally {
        var tally = SwitchTally()
        let page = ScheduledPage(revision: revision, end: end.map(Self.time))
        tally.add(page, sent: Self.time(sent), received: Self.time(received ?? sent), schedule)
        return tally
    }

    @Test("A page is late if it is requested more than a second after its end")
    func late() {
        #expect(tally(1, until: 10, sent: 10.9).late == 0)
        #expect(tally(1, until: 10, sent: 11.1).late == 1)
        #expect(tally(3, until: 14, sent: 15.5).late == 1)
        #expect(tally(1, until: nil, sent: 100).late == 0)
        // Another scheduled change, before the takeover.
        #expect(tally(1, until: 9, sent: 11.1).late == 1)
    }

    @Test("A page is early if it is received before the switch from which it is valid")
    func early() {
        #expect(tally(3, until: 14, sent: 9.8, received: 9.9).early == 1)
        #expect(tally(3, until: 14, sent: 9.9, received: 10.1).early == 0)
        #expect(tally(1, until: nil, sent: 13.9).early == 1)
        #expect(tally(1, until: 10, sent: 1).early == 0)
    }

    @Test("A page whose revision contradicts its end is wrong")
    func wrong() {
        #expect(tally(3, until: 10, sent: 1).wrong == 1)
        #expect(tally(1, until: 14, sent: 11).wrong == 1)
        #expect(tally(3, until: 14, sent: 11).wrong == 0)
    }

    @Test("The revision and the end of a page are read from its first bytes")
    func page() {
        let body = #"{"schema":"vitrine.page/1","feed":"today","revision":7,"version":9,"validUntil":"1970-01-01T00:00:10Z","sections":[]}"#
        #expect(ScheduledPage(Array(body.utf8)) == ScheduledPage(revision: 7, end: Self.time(10)))
        #expect(ScheduledPage(Array("{}".utf8)) == nil)
    }
}
