/// The options of `Benchmarks cache`.
struct CacheOptions {
    enum Proxy: String, CaseIterable {
        /// Varnish with a backend and no other configuration.
        case varnish
        /// nginx with `config/nginx.conf`.
        case nginx
        /// A cache of this program that stores one response for each URL and ignores `Vary`.
        case url
    }

    /// The number of clients. Each sends one request.
    var clients = 1_000_000
    var proxy = Proxy.varnish
    /// The number of takeovers to follow instead, or nil to test clients.
    var switches: Int?
    /// Whether a proxy removes `stale-while-revalidate` before a cache sees it.
    var removesStale = false
    /// Whether clients state only their locale in the URL, and everything else in header fields. Only Varnish compares these.
    var headersOnly = false
    /// The path of the tested program, or nil to test the one that was built with this program.
    var program: String?
    var seed = UInt64.random(in: 0 ... .max)
    var jsonPath: String?

    init() {}

    init(_ arguments: some Sequence<String>) throws(BenchmarkOptions.Usage) {
        var rest = arguments.makeIterator()
        while let option = rest.next() {
            if option == "--remove-stale" {
                removesStale = true
                continue
            }
            if option == "--headers-only" {
                headersOnly = true
                continue
            }
            guard let value = rest.next() else { throw BenchmarkOptions.Usage(description: "\(option) needs a value") }
            switch option {
            case "--clients": clients = try Self.count(value, option)
            case "--switches": switches = try Self.count(value, option)
            case "--proxy":
                guard let proxy = Proxy(rawValue: value) else {
                    let names = Proxy.allCases.map(\.rawValue).joined(separator: ", ")
                    throw BenchmarkOptions.Usage(description: "unknown proxy \(value): expected one of \(names)")
                }
                self.proxy = proxy
            case "--program": program = value
            case "--seed": seed = UInt64(try Self.count(value, option))
            case "--json": jsonPath = value
            default: throw BenchmarkOptions.Usage(description: "unknown option \(option) of cache")
            }
        }
        // The other caches ignore `Vary`, so they store one response however much it depends on the headers.
        if headersOnly, proxy != .varnish {
            throw BenchmarkOptions.Usage(description: "--headers-only requires --proxy varnish: \(proxy.rawValue) ignores Vary")
        }
    }

    private static func count(_ text: String, _ option: String) throws(BenchmarkOptions.Usage) -> Int {
        guard let count = Int(text), count > 0 else { throw BenchmarkOptions.Usage(description: "\(option) needs a positive number") }
        return count
    }
}
