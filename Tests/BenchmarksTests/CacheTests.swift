import Testing

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

    @Test("The bucket of a client in the model is that of the documentation")
    func buckets() {
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
