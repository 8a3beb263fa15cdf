/// A client of a trial. Its number and the seed of the trial decide everything about it.
struct TrialClient: Sendable {
    let number: Int
    let storefront: String
    let locale: String
    let feed: String
    /// The name of its screen in the URL.
    let screen: String?
    let platform: String?
    /// The version of its operating system.
    let os: String?
    let app: String?
    let id: String?
    let tags: [String]?
    let display: TrialDisplay
    private let origin: String?
    /// The content codings that it accepts, as it spells them.
    private let codings: String?
    /// The platform, locale and size in the fields of the request for the shared page. They are independent of the parameters of its
    /// URL, so that a response that depends on them differs from the model.
    private let contradiction: (platform: String?, locale: String, hasSize: Bool)

    init(_ number: Int, of feeds: TrialFeeds, seed: UInt64) {
        var random = TrialRandom(seed: seed &+ UInt64(number))
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &random)] }
        func maybe<Value>(_ value: Value) -> Value? { Int.random(in: 0..<8, using: &random) == 0 ? nil : value }
        func version(_ major: ClosedRange<Int>) -> String {
            let parts = (1...3).map { $0 == 1 ? Int.random(in: major, using: &random) : Int.random(in: 0...12, using: &random) }
            return parts.prefix(pick([1, 2, 2, 3])).map(String.init).joined(separator: ".")
        }
        self.number = number
        let storefront = pick(feeds.storefronts.filter { !$0.feeds.isEmpty })
        self.storefront = storefront.key
        locale = pick(storefront.locales)
        feed = pick(storefront.feeds)
        screen = pick(feeds.screens + [nil])
        platform = pick(feeds.platforms + [nil])
        os = maybe(version(1...20))
        app = maybe(version(1...6))
        id = maybe("client-\(number)-\(random.next())")
        tags = maybe(["beta", "subscriber", "press"].filter { _ in Bool.random(using: &random) })
        origin = maybe(pick(["https://feeds.example", "https://\(number).example", "null"]))
        codings = pick([nil, "gzip", "br", "gzip, deflate, br, zstd", "gzip;q=1.0, *;q=0.5", "identity", "deflate", "GZIP, br;q=0.9"])
        display = TrialDisplay(using: &random)
        contradiction = (pick(feeds.platforms + [nil]), pick(feeds.storefronts.flatMap(\.locales)), Bool.random(using: &random))
    }

    /// The path of the shared page. Its parameters are sorted.
    var path: String { "/v1/\(storefront)/feeds/\(feed)?\(query)" }

    private var query: String {
        [("locale", locale), ("platform", platform), ("screen", screen)].compactMap { name, value in value.map { "\(name)=\($0)" } }
            .joined(separator: "&")
    }

    /// The request for the shared page.
    var request: [UInt8] { request(path, sharedFields + codingField) }

    /// The request of a client that states only its locale in the URL, and the size of its screen in a header field too.
    var requestByHeaders: [UInt8] {
        request(
            "/v1/\(storefront)/feeds/\(feed)?locale=\(locale)",
            fields(platform: platform, locale: locale, hasSize: true) + codingField)
    }

    /// The request for the page that the server resolves.
    var personalRequest: [UInt8] { request("/v1/\(storefront)/feeds/\(feed)?form=personal&\(query)", fields) }

    private func request(_ path: String, _ fields: String) -> [UInt8] {
        Array("GET \(path) HTTP/1.1\r\nhost: shop\r\n\(fields)\r\n".utf8)
    }

    private var codingField: String { codings.map { "accept-encoding: \($0)\r\n" } ?? "" }

    /// All header fields of the request for the shared page, except `Accept-Encoding`. Their platform, language and size are
    /// independent of the URL.
    var sharedFields: String {
        fields(platform: contradiction.platform, locale: contradiction.locale, hasSize: contradiction.hasSize)
    }

    /// All header fields about the client, except `Accept-Encoding`.
    var fields: String { fields(platform: platform, locale: locale, hasSize: screen != nil) }

    private func fields(platform: String?, locale: String, hasSize: Bool) -> String {
        let facts = [("platform", platform), ("os", os), ("app", app), ("id", id)].compactMap { name, value in
            value.map { "\(name)=\"\($0)\"" }
        }
        let list = tags.map { ["tags=(\($0.map { "\"\($0)\"" }.joined(separator: " ")))"] } ?? []
        return """
            vitrine-client: \((facts + list).joined(separator: ", "))\r
            vitrine-layout: version=1\(hasSize ? ", width=\(display.width), height=\(display.height)" : "")\r
            accept-language: \(locale), *;q=0.1\r
            user-agent: shop/\(app ?? "0") (\(number))\r
            \(origin.map { "origin: \($0)\r\n" } ?? "")
            """
    }

    /// Whether the client accepts the content coding of a response.
    func accepts(_ coding: Substring?) -> Bool {
        guard let coding else { return true }
        return codings?.lowercased().split(separator: ",").contains { $0.drop { $0 == " " }.hasPrefix(coding) || $0.contains("*") } ?? false
    }
}

/// A SplitMix64 generator.
struct TrialRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
