import JSON
import Resolve

/// A target in the model, with its JSON. Everything but `target` is independent of the sources.
struct NaiveTarget: Sendable {
    enum Condition: Sendable {
        case storefronts([String])
        case locales([String])
        case platforms([String])
        /// The bounds of the version, as numbers.
        case app(from: Int, below: Int)
        case os(from: Int, below: Int)
        case tags([String])
        case experiment([String: [String]])
        case weather
    }

    let conditions: [Condition]
    let json: String
    /// The same target, read by the sources.
    let target: Target

    init(_ conditions: [Condition]) throws {
        self.conditions = conditions
        json = "{\(conditions.map(\.json).joined(separator: ","))}"
        target = try JSONDocument(parsing: Array(json.utf8)).decodeLeniently(Target.self).value
    }

    func holds(for client: NaiveClient, on page: NaivePage) -> Bool { conditions.allSatisfy { $0.holds(for: client, on: page) } }
}

extension NaiveTarget.Condition {
    fileprivate func holds(for client: NaiveClient, on page: NaivePage) -> Bool {
        switch self {
        case .storefronts(let list): return client.storefront.map { list.contains($0) } == true
        case .locales(let list): return !Set(client.locales ?? []).isDisjoint(with: list)
        case .platforms(let list): return client.platform.map { list.contains($0) } == true
        case .app(let from, let below): return client.app.map { $0 >= from && $0 < below } == true
        case .os(let from, let below): return client.os.map { $0 >= from && $0 < below } == true
        case .tags(let list): return !Set(client.tags ?? []).isDisjoint(with: list)
        case .experiment(let arms):
            return arms.allSatisfy { name, list in page.experiments[name].map { list.contains($0.arm(of: client, page)) } == true }
        case .weather: return false
        }
    }

    fileprivate var json: String {
        func list(_ values: [String]) -> String { "[\(values.map { "\"\($0)\"" }.joined(separator: ","))]" }
        switch self {
        case .storefronts(let values): return "\"storefronts\":\(list(values))"
        case .locales(let values): return "\"locales\":\(list(values))"
        case .platforms(let values): return "\"platforms\":\(list(values))"
        case .app(let from, let below): return "\"appVersion\":\"\(naiveRange(from, below))\""
        case .os(let from, let below): return "\"os\":\"\(naiveRange(from, below))\""
        case .tags(let values): return "\"tags\":\(list(values))"
        case .experiment(let arms):
            return "\"experiment\":{\(arms.sorted { $0.key < $1.key }.map { "\"\($0)\":\(list($1))" }.joined(separator: ","))}"
        case .weather: return "\"weather\":[\"rain\"]"
        }
    }
}

/// Version 31 of the model is 3.1.
func naiveVersion(_ number: Int) -> String { "\(number / 10).\(number % 10)" }

private func naiveRange(_ from: Int, _ below: Int) -> String {
    if from == 0 { return "<\(naiveVersion(below))" }
    return below == 1_000 ? ">=\(naiveVersion(from))" : ">=\(naiveVersion(from)) <\(naiveVersion(below))"
}

/// Returns the place of a client as described in `docs/feeds.md`.
func naivePlace(_ salt: String, _ client: String) -> Int {
    var h: UInt64 = 14_695_981_039_346_656_037
    for byte in [UInt8]("\(salt)/\(client)".utf8) { h = (h ^ UInt64(byte)).multipliedReportingOverflow(by: 1_099_511_628_211).partialValue }
    for factor: UInt64 in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        h = (h ^ h / 8_589_934_592).multipliedReportingOverflow(by: factor).partialValue
    }
    return Int((h ^ h / 8_589_934_592) % 100)
}

struct NaiveExperiment: Sendable {
    let salt: String
    /// The first place of each arm, which ends where the next one begins. The names are in the order of the places.
    let arms: [(name: String, from: Int)]
    let standard: String
    let state: String
    let winner: String

    func arm(of client: NaiveClient, _ page: NaivePage) -> String {
        if state == "concluded" { return winner }
        guard state == "running", let id = client.id else { return standard }
        if let holdout = page.holdout, naivePlace(holdout.salt, id) < holdout.share { return standard }
        let place = naivePlace(salt, id)
        return arms.last { $0.from <= place }?.name ?? standard
    }

    var json: String {
        var ranges: [String: [String]] = [:]
        for (index, arm) in arms.enumerated() {
            ranges[arm.name, default: []].append("[\(arm.from),\(index + 1 < arms.count ? arms[index + 1].from : 100)]")
        }
        let list = ranges.sorted { $0.key < $1.key }.map { "\"\($0)\":[\($1.joined(separator: ","))]" }.joined(separator: ",")
        let end = state == "concluded" ? #","winner":"\#(winner)""# : ""
        return #"{"salt":"\#(salt)","arms":{\#(list)},"default":"\#(standard)","state":"\#(state)"\#(end)}"#
    }
}

struct NaiveClient: Sendable {
    var storefront: String?
    var locales: [String]?
    var platform: String?
    var app: Int?
    var os: Int?
    var tags: [String]?
    var id: String?

    static let factCount = 7

    /// Returns the facts of the client whose bits are set. The others are unknown.
    func facts(_ known: Int) -> ClientFacts {
        func fact<Value>(_ bit: Int, _ value: Value?) -> Fact<Value> {
            known >> bit & 1 == 0 ? .unknown : value.map { .said($0) } ?? .notSaid
        }
        var facts = ClientFacts()
        facts.storefront = fact(0, storefront)
        facts.locale = fact(1, locales)
        facts.platform = fact(2, platform)
        facts.appVersion = fact(3, app.flatMap { Version(naiveVersion($0)) })
        facts.os = fact(4, os.flatMap { Version(naiveVersion($0)) })
        facts.tags = fact(5, tags.map(Set.init))
        facts.client = fact(6, id)
        return facts
    }
}
