import Testing

@testable import Benchmarks

@Suite("The options of the benchmarks")
struct BenchmarkOptionsTests {
    private static let suites = ["pages", "feeds", "http"]

    private func chosen(_ arguments: [String]) throws -> [String] {
        let options = try BenchmarkOptions(arguments, suites: Self.suites)
        return Self.suites.filter { options.includes($0) }
    }

    @Test("A list of names selects these suites, in the order in which they run")
    func list() throws {
        #expect(try chosen([]) == Self.suites)
        #expect(try chosen(["--only", "http"]) == ["http"])
        #expect(try chosen(["--only", "http,pages"]) == ["pages", "http"])
        #expect(try chosen(["--only", "http", "--json", "rows.json", "--only", "feeds"]) == ["feeds", "http"])
        #expect(try BenchmarkOptions(["--json", "rows.json"], suites: Self.suites).jsonPath == "rows.json")
    }

    @Test("A suite that does not run by default runs only if it is in the list")
    func optional() throws {
        #expect(try !BenchmarkOptions([], suites: Self.suites).includes("pages", byDefault: false))
        #expect(try !BenchmarkOptions(["--only", "http"], suites: Self.suites).includes("pages", byDefault: false))
        #expect(try BenchmarkOptions(["--only", "pages"], suites: Self.suites).includes("pages", byDefault: false))
        #expect(!BenchmarkSuite.growth.runsByDefault && !BenchmarkSuite.before.runsByDefault && BenchmarkSuite.pages.runsByDefault)
    }

    @Test(
        "An unknown name is an error that shows it and the names of all suites",
        arguments: [
            ("http,pagse", "no suite is named 'pagse'"), ("htt", "no suite is named 'htt'"), ("a,http,b", "no suites are named 'a', 'b'"),
            ("http,", "no suite is named ''"), ("", "no suite is named ''"),
        ])
    func unknown(list: String, message: String) throws {
        let usage = try #require(throws: BenchmarkOptions.Usage.self) { try chosen(["--only", list]) }
        #expect(usage.description == "--only: \(message); the suites are pages, feeds, http")
    }

    @Test("An option without a value and an unknown option are errors that name the option")
    func options() throws {
        for arguments in [["--only"], ["--only", "--json"], ["--json"]] {
            let usage = try #require(throws: BenchmarkOptions.Usage.self) { try chosen(arguments) }
            #expect(usage.description == "\(arguments[0]) needs a value")
        }
        let usage = try #require(throws: BenchmarkOptions.Usage.self) { try chosen(["--ony", "http"]) }
        #expect(usage.description.hasPrefix("unknown option '--ony'"))
    }

    @Test("The help lists the suites")
    func help() throws {
        #expect(try BenchmarkOptions(["--help"], suites: Self.suites).isHelp)
        #expect(try !BenchmarkOptions([], suites: Self.suites).isHelp)
        #expect(BenchmarkOptions.help(suites: Self.suites).contains("Suites: pages, feeds, http\n"))
    }
}
