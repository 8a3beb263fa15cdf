internal import JSON
internal import Values

/// Why a section shows what it shows, in sentences.
struct ExplanationText: Sendable {
    /// A slot or a loser.
    struct Line: Sendable {
        /// From 0; nil for what is not shown.
        let slot: Int?
        let item: String
        let title: String
        let sentence: String
    }

    let section: String
    let slots: [Line]
    let losers: [Line]
    /// What is to be known before.
    let remarks: [String]

    /// `titles` has the items of the page, by their ids.
    init(_ node: JSONNode, titles: [String: String]) {
        section = node["section"]?.string ?? ""
        let order = Order(node["sort"])
        func title(_ line: JSONNode) -> String {
            let id = line["item"]?.string
            let title = line["merit"]?["title"]?.string ?? id.flatMap { titles[$0] } ?? line["named"]?.string ?? id ?? ""
            return title.printable(limit: 60)
        }
        slots = (node["slots"]?.elements.map(\.self) ?? []).map { slot in
            let sentence =
                switch slot["reason"]?.string {
                case "pin": "pinned at slot \(slot["pin"]?.integer ?? 0)"
                case "rule": "\((slot["place"]?.integer ?? 0).ordinal) by the rule\(order.told(slot["merit"]))"
                default: "kept from before"
                }
            return Line(slot: slot["slot"]?.integer, item: slot["item"]?.string ?? "", title: title(slot), sentence: sentence)
        }
        losers = (node["losers"]?.elements.map(\.self) ?? []).map { loser in
            Line(
                slot: nil, item: loser["item"]?.string ?? loser["named"]?.string ?? "", title: title(loser),
                sentence: Self.loss(of: loser, by: order))
        }
        remarks = [Self.keeping(node["kept"]), Self.lack(node["lack"]?.string), Self.absentLack(node["absentLack"]?.string)]
            .compactMap(\.self)
    }

    private static func loss(of loser: JSONNode, by order: Order) -> String {
        let merit = order.told(loser["merit"])
        switch loser["reason"]?.string {
        case "excluded": return "excluded by name, or the rule would find it\(merit)"
        case "pinned": return "found by the rule as well; it stands where it is pinned, at slot \(loser["pin"]?.integer ?? 0)"
        case "behindTheLimit": return "found by the rule, behind the limit\(merit)"
        case "absent":
            if loser["item"] == nil { return "pinned, and there is no such item" }
            return "\(loser["named"] == nil ? "the rule would find it" : "pinned"), and it is not in this storefront then\(merit)"
        default: return "not shown"
        }
    }

    private static func keeping(_ kept: JSONNode?) -> String? {
        guard let kept else { return nil }
        let found = kept["found"]?.integer ?? 0
        if let minimum = kept["minimum"]?.integer {
            return "The rule finds \(found), and \(minimum) is the least: the section keeps what it showed, or is left out."
        }
        return
            "The rule finds \(found) where there were \(kept["before"]?.integer ?? 0), too large a drop: the section keeps what it showed."
    }

    private static func lack(_ word: String?) -> String? {
        switch word {
        case "tooSlow": "The rule takes too long, so that nobody knows what it finds."
        case "tooLarge": "The rule asks for too much, so that nobody knows what it finds."
        case "notAsked": "The rule was not asked, as others take too long together."
        default: nil
        }
    }

    private static func absentLack(_ word: String?) -> String? {
        guard let word else { return nil }
        let reason =
            switch word {
            case "tooSlow": "that takes too long"
            case "tooLarge": "the rule asks for too much"
            default: "there was no time left for it"
            }
        return "What the rule would find if it were in this storefront is not listed: \(reason)."
    }

    /// The sentences stand beside the titles, broken where it is narrow.
    func text(width: Int?) -> String {
        let room = min(40, width.map { $0 / 2 - 7 } ?? 40, (slots + losers).map(\.title.columns).max() ?? 0)
        func line(_ number: String, _ line: Line) -> String {
            let title = line.title.columns > room ? line.title.prefix(columns: max(0, room - 1)) + "…" : line.title
            let head = String(repeating: " ", count: max(0, 3 - number.count)) + "\(number)  \(title)"
            let margin = String(repeating: " ", count: room + 7)
            let sentence = width.map { line.sentence.broken(into: $0 - room - 7) } ?? [line.sentence]
            return sentence.enumerated().map { place, part in
                (place == 0 ? head + margin.dropFirst(head.columns) : margin) + "\(part)\n"
            }.joined()
        }
        var text = remarks.flatMap { remark in width.map { remark.broken(into: $0) } ?? [remark] }.map { "\($0)\n" }.joined()
        text += slots.isEmpty ? "Nothing is shown.\n" : "Shown:\n" + slots.map { line("\($0.slot ?? 0)", $0) }.joined()
        if !losers.isEmpty { text += "Not shown there:\n" + losers.map { line("-", $0) }.joined() }
        return text
    }
}

/// What a sort looks at.
private struct Order {
    private let sort: JSONNode?

    init(_ sort: JSONNode?) { self.sort = sort }

    func told(_ merit: JSONNode?) -> String {
        guard let merit else { return "" }
        if let chart = sort?["chart"]?.string {
            return merit["rank"]?.integer.map { ": place \($0) of the chart \(chart)" } ?? ": not on the chart \(chart)"
        }
        if let seed = sort?["rotate"]?["seed"]?.string { return ": its turn in the rotation \(seed)" }
        switch sort?.string {
        case "-releaseDate": return ": released \(merit["releasedOn"]?.string ?? "")"
        case "title": return ": by its title"
        default:
            let (hundredths, count) = (merit["ratingHundredths"]?.integer ?? 0, merit["ratings"]?.integer ?? 0)
            guard count > 0 else { return ": nobody has rated it" }
            let stars = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
            return ": \(stars) stars from \(count == 1 ? "1 person" : "\(count) people")"
        }
    }
}

extension Int {
    /// Of what is counted from 0: `1st`, `12th`, `23rd`.
    fileprivate var ordinal: String {
        let number = Swift.min(Swift.max(self, 0), .max - 1) + 1
        let isTeen = 11...13 ~= number % 100
        switch number % 10 {
        case 1 where !isTeen: return "\(number)st"
        case 2 where !isTeen: return "\(number)nd"
        case 3 where !isTeen: return "\(number)rd"
        default: return "\(number)th"
        }
    }
}

extension ExplanationText: JSONEncodable {
    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("section", section)
            json.member("remarks", remarks)
            json.member("slots", slots)
            json.member("losers", losers)
        }
    }
}

extension ExplanationText.Line: JSONEncodable {
    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("slot", slot)
            json.member("item", item)
            json.member("title", title)
            json.member("because", sentence)
        }
    }
}
