import Resolve

/// A page as curators and the catalog define it. It composes the page of one client directly, slot by slot, and shares
/// no code with the sources.
struct NaivePage: Sendable {
    struct Pin: Sendable {
        let id: String
        let slot: Int
        /// The item, nil if the placement is a card.
        let item: String?
        let target: NaiveTarget?
    }

    struct Section: Sendable {
        let id: String
        let target: NaiveTarget?
        let size: Int
        let minItems: Int
        let without: [String]
        let pins: [Pin]
        /// The items that the rule finds, in their order.
        let candidates: [String]
    }

    var sections: [Section] = []
    /// The platforms of each item that does not run everywhere.
    var platforms: [String: Set<String>] = [:]
    var experiments: [String: NaiveExperiment] = [:]
    var holdout: (salt: String, share: Int)?

    func runs(_ item: String?, on platform: String?) -> Bool {
        guard let item, let platform, let platforms = platforms[item] else { return true }
        return platforms.contains(platform)
    }

    static func placement(of item: String, in section: String) -> String { "\(section)/\(item)" }

    /// Returns the placements of each section that the client sees.
    func shown(to client: NaiveClient) -> [(section: String, placements: [String])] {
        var result: [(String, [String])] = []
        var shown: [String: [String]] = [:]
        for section in sections where section.target?.holds(for: client, on: self) ?? true {
            var pins: [Int: Pin] = [:]
            for pin in section.pins where runs(pin.item, on: client.platform) && pin.target?.holds(for: client, on: self) ?? true {
                pins[pin.slot] = pin
            }
            let taken = pins.values.compactMap(\.item) + section.without.flatMap { shown[$0] ?? [] }
            var rest = section.candidates.filter { runs($0, on: client.platform) && !taken.contains($0) }
            var page: [(id: String, item: String?)] = []
            for slot in 0..<section.size {
                if let pin = pins.removeValue(forKey: slot) {
                    page.append((pin.id, pin.item))
                } else if !rest.isEmpty {
                    let item = rest.removeFirst()
                    page.append((Self.placement(of: item, in: section.id), item))
                }
            }
            guard page.count >= section.minItems, !page.isEmpty else { continue }
            result.append((section.id, page.map(\.id)))
            shown[section.id] = page.compactMap(\.item)
        }
        return result
    }
}

// MARK: Superset

extension NaivePage {
    static let served = ["ios", "ipados", "android"]

    /// Returns the items of each section that the composer publishes: for each served platform and for clients without
    /// one, those up to the last that a client can need. Without a cut, these are all items.
    func published(isCut: Bool) -> [[String]] {
        var items: [String: Set<String>] = [:]
        return sections.map { section in
            var chosen = isCut ? [] : Set(section.candidates)
            let displaced = section.without.reduce(into: Set(section.pins.compactMap(\.item))) { $0.formUnion(items[$1] ?? []) }
            for platform in Self.served + [nil] where isCut {
                var free = 0
                for item in section.candidates where free < section.size && runs(item, on: platform) {
                    chosen.insert(item)
                    if !displaced.contains(item) { free += 1 }
                }
            }
            items[section.id] = chosen.union(section.pins.compactMap(\.item))
            return section.candidates.filter(chosen.contains)
        }
    }

    func edition(isCut: Bool) -> Edition {
        let published = published(isCut: isCut)
        return Edition(
            sections: zip(sections, published).map { section, candidates in
                var placements = candidates.map {
                    Placement(id: Self.placement(of: $0, in: section.id), item: $0, platforms: platforms[$0])
                }
                for pin in section.pins {
                    let placement = Placement(
                        id: pin.id, item: pin.item, pin: .init(slot: pin.slot, target: pin.target?.target),
                        platforms: pin.item.flatMap { platforms[$0] })
                    placements.insert(placement, at: min(pin.slot, placements.count))
                }
                return ResolvableSection(
                    id: section.id, target: section.target?.target,
                    fill: Fill(size: section.size, minItems: section.minItems, without: section.without), placements: placements)
            },
            experiments: experiments.compactMapValues { $0.experiment.map { .experiment($0) } },
            holdout: holdout.map { Holdout(salt: $0.salt, share: $0.share) })
    }

    /// The JSON of the edition, written without the sources.
    func json(isCut: Bool) -> String {
        let published = published(isCut: isCut)
        let list = zip(sections, published).map { section, candidates in
            func on(_ item: String?) -> String {
                guard let item, let platforms = platforms[item] else { return "" }
                return ",\"on\":[\(platforms.sorted().map { "\"\($0)\"" }.joined(separator: ","))]"
            }
            var items = candidates.map { #"{"placement":"\#(Self.placement(of: $0, in: section.id))","item":"\#($0)"\#(on($0))}"# }
            for pin in section.pins {
                let content = pin.item.map { "\"item\":\"\($0)\"" } ?? "\"card\":{}"
                let target = pin.target.map { ",\"target\":\($0.json)" } ?? ""
                let text = #"{"placement":"\#(pin.id)",\#(content),"pin":\#(pin.slot)\#(target)\#(on(pin.item))}"#
                items.insert(text, at: min(pin.slot, items.count))
            }
            let without = section.without.isEmpty ? "" : ",\"without\":[\(section.without.map { "\"\($0)\"" }.joined(separator: ","))]"
            let target = section.target.map { ",\"target\":\($0.json)" } ?? ""
            return #"{"id":"\#(section.id)"\#(target),"fill":{"size":\#(section.size),"minItems":\#(section.minItems)\#(without)},"#
                + #""items":[\#(items.joined(separator: ","))]}"#
        }
        let tests = experiments.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1.json)" }.joined(separator: ",")
        let out = holdout.map { #","holdout":{"salt":"\#($0.salt)","share":\#($0.share)}"# } ?? ""
        return #"{"sections":[\#(list.joined(separator: ","))]\#(experiments.isEmpty ? "" : ",\"experiments\":{\(tests)}")\#(out)}"#
    }
}

extension NaiveExperiment {
    fileprivate var experiment: Experiment? {
        var ranges: [String: [Range<Int>]] = [:]
        for (index, arm) in arms.enumerated() {
            ranges[arm.name, default: []].append(arm.from..<(index + 1 < arms.count ? arms[index + 1].from : 100))
        }
        let state: Experiment.State = state == "draft" ? .draft : state == "running" ? .running : .concluded(winner: winner)
        return Experiment(salt: salt, arms: ranges, defaultArm: standard, state: state)
    }
}
