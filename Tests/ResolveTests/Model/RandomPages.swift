import Resolve
import TestSupport

/// Random pages and clients. They are small, so that pins, candidates and sections above often compete for an item.
struct RandomPages {
    private var random: SeededRandom
    private let targets: [NaiveTarget]

    private static let platforms = NaivePage.served + ["web"]
    private static let locales = [["en"], ["es-MX", "es-419", "es"], ["zh-Hant-HK", "zh-HK", "zh-Hant"], ["de"]]
    private static let experimentNames = ["weekend", "dark-mode", "gone"]

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        var targets: [NaiveTarget] = []
        var random = SeededRandom(seed: seed &+ 1)
        for _ in 0..<400 { targets.append(try NaiveTarget(Self.conditions(&random))) }
        self.targets = targets
    }

    // MARK: Pages

    mutating func page(sections: ClosedRange<Int> = 1...8, candidates: ClosedRange<Int> = 0...14) -> NaivePage {
        var page = NaivePage()
        let items = (0..<number(8...24)).map { "i\($0)" }
        for item in items where number(1...3) == 1 { page.platforms[item] = Set(subset(of: Self.platforms)) }
        for index in 0..<number(sections) { page.sections.append(section("s\(index)", page, items, candidates)) }
        for name in ["weekend", "dark-mode"] where number(1...5) > 1 { page.experiments[name] = experiment(name) }
        if number(1...2) == 1 { page.holdout = ("h", number(0...60)) }
        return page
    }

    private mutating func section(_ id: String, _ page: NaivePage, _ items: [String], _ candidates: ClosedRange<Int>) -> NaivePage.Section {
        let size = number(1...5)
        let pinned = Array(shuffled(items).prefix(number(1...3) == 1 ? number(1...3) : 0))
        var slots = shuffled(Array(0..<size))
        var pins: [NaivePage.Pin] = []
        for item in pinned {
            guard let slot = slots.popLast() else { break }
            let isCard = number(1...4) == 1
            pins.append(
                NaivePage.Pin(
                    id: isCard ? "\(id)/~\(item)" : NaivePage.placement(of: item, in: id), slot: slot, item: isCard ? nil : item,
                    target: number(1...2) == 1 ? target() : nil))
        }
        let above = page.sections.map(\.id)
        return NaivePage.Section(
            id: id, target: number(1...4) == 1 ? target() : nil, size: size, minItems: number(0...min(3, size)),
            without: above.isEmpty || number(1...2) == 1 ? [] : subset(of: above), pins: pins,
            candidates: Array(shuffled(items).prefix(number(candidates))))
    }

    private mutating func experiment(_ name: String) -> NaiveExperiment {
        var arms = [(name: pick(["control", "pairs", "rows"]), from: 0)]
        for bound in [10, 30, 50, 75] where number(0...1) == 0 { arms.append((pick(["control", "pairs", "rows"]), bound)) }
        return NaiveExperiment(
            salt: name, arms: arms, standard: pick(arms).name, state: pick(["draft", "running", "running", "running", "concluded"]),
            winner: pick(arms).name)
    }

    private mutating func target() -> NaiveTarget { pick(targets) }

    private static func conditions(_ random: inout SeededRandom) -> [NaiveTarget.Condition] {
        var conditions: [NaiveTarget.Condition] = []
        let kinds = Set((0..<random.number(1...2)).map { _ in random.number(0...7) }).sorted()
        for kind in kinds {
            switch kind {
            case 0: conditions.append(.storefronts(random.subset(of: ["us", "sa", "de"])))
            case 1: conditions.append(.locales(random.subset(of: ["en", "es", "zh", "zh-Hant", "es-419"])))
            case 2: conditions.append(.platforms(random.subset(of: platforms)))
            case 3:
                let from = random.number(0...40)
                conditions.append(.app(from: from, below: random.number(1...3) == 1 ? 1_000 : from + random.number(1...20)))
            case 4: conditions.append(.os(from: 0, below: random.number(1...200)))
            case 5: conditions.append(.tags(random.subset(of: ["beta", "staff", "vip"])))
            case 6:
                let names = random.subset(of: experimentNames)
                conditions.append(
                    .experiment(
                        Dictionary(uniqueKeysWithValues: names.map { ($0, random.subset(of: ["control", "pairs", "rows"])) })))
            default: if random.number(1...3) == 1 { conditions.append(.weather) }
            }
        }
        return conditions.isEmpty ? [.tags(["beta"])] : conditions
    }

    // MARK: Clients

    mutating func client(onlyServed: Bool) -> NaiveClient {
        var client = NaiveClient()
        if number(1...8) > 1 { client.storefront = pick(["us", "sa", "de"]) }
        if number(1...8) > 1 { client.locales = pick(Self.locales) }
        if number(1...4) > 1 { client.platform = pick(onlyServed ? NaivePage.served : Self.platforms) }
        if number(1...4) > 1 { client.app = number(0...60) }
        if number(1...4) > 1 { client.os = number(0...200) }
        if number(1...3) > 1 { client.tags = subset(of: ["beta", "staff", "vip"]) }
        if number(1...4) > 1 { client.id = "c\(number(0...2_000))" }
        return client
    }

    // MARK: Choices

    mutating func number(_ range: ClosedRange<Int>) -> Int { random.number(range) }
    mutating func pick<Value>(_ values: [Value]) -> Value { values[random.number(0...values.count - 1)] }
    private mutating func subset(of values: [String]) -> [String] { random.subset(of: values) }

    private mutating func shuffled<Value>(_ values: [Value]) -> [Value] { values.shuffled(using: &random) }
}

extension SeededRandom {
    fileprivate mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// Returns at least one of the values, in their order.
    fileprivate mutating func subset(of values: [String]) -> [String] {
        let chosen = values.filter { _ in next() & 1 == 0 }
        return chosen.isEmpty ? [values[number(0...values.count - 1)]] : chosen
    }
}
