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

    @Test("A cache by URL gives the public response to the first client to all of them, but a private response to one of them only")
    func firstClient() throws {
        // A server whose responses depend on all fields.
        let origin = try LocalListener()
        defer { origin.stop() }
        try origin.start { connection in
            while let lines = try connection.head() {
                let body = lines.dropFirst().joined(separator: ";")
                let control = lines[0].contains("private") ? "private" : "public"
                let head = "HTTP/1.1 200 OK\r\ncache-control: \(control), max-age=60\r\ncontent-length: \(body.utf8.count)\r\n\r\n"
                try connection.send(Array((head + body).utf8))
            }
        }
        let proxy = try PageProxy(.storing, origin: origin.port)
        defer { proxy.stop() }
        func response(_ path: String, to client: Int, _ fields: String = "") throws -> String {
            let connection = try PageConnection(port: proxy.port)
            let request = "GET \(path) HTTP/1.1\r\nhost: shop\r\nvitrine-client: id=\(client)\r\n\(fields)origin: null\r\n\r\n"
            try connection.send(Array(request.utf8))
            return String(decoding: try connection.receive().body, as: UTF8.self)
        }
        #expect(try response("/public", to: 1, "Accept-Encoding: br\r\n") == "host: shop;vitrine-client: id=1;origin: null")
        #expect(try response("/public", to: 2) == "host: shop;vitrine-client: id=1;origin: null")
        #expect(try response("/other", to: 3) == "host: shop;vitrine-client: id=3;origin: null")
        #expect(proxy.objects() == 2)
        for client in 1...2 {
            #expect(try response("/private", to: client) == "host: shop;vitrine-client: id=\(client);origin: null")
        }
        #expect(proxy.objects() == 2)
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

    @Test("A page is late if it is received more than a second after its end, also if it was requested before")
    func late() {
        #expect(tally(1, until: 10, sent: 10.9).late == 0)
        #expect(tally(1, until: 10, sent: 10.9, received: 11.0).late == 0)
        #expect(tally(1, until: 10, sent: 10.9, received: 11.5).late == 1)
        #expect(tally(1, until: 10, sent: 10.9, received: 11.5).latest == .milliseconds(1_500))
        #expect(tally(1, until: 10, sent: 11.1).late == 1)
        #expect(tally(3, until: 14, sent: 15.5).late == 1)
        #expect(tally(1, until: nil, sent: 100).late == 0)
        // Another scheduled change, before the takeover.
        #expect(tally(1, until: 9, sent: 11.1).late == 1)
    }

    @Test("A page is early if it is requested before the switch from which it is valid, also if it is received later")
    func early() {
        #expect(tally(3, until: 14, sent: 9.8, received: 9.9).early == 1)
        #expect(tally(3, until: 14, sent: 9.9, received: 10.1).early == 1)
        #expect(tally(3, until: 14, sent: 10, received: 10.1).early == 0)
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
