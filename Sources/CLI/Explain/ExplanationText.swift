internal import Feeds
internal import Items
internal import JSON
internal import Resolve
internal import Values

struct ExplanationText: Sendable {
    struct Line: Sendable {
        /// The zero-based slot; nil if the item is omitted.
        let slot: Int?
        let item: String
        let title: String
        let sentence: String
    }

    let section: String
    /// The reason why the client does not see the section, or nil if it sees the section.
    let notShown: SectionExplanation.NotShownReason?
    let slots: [Line]
    let omitted: [Line]
    let notes: [String]

    /// Creates the text. `titles` has the titles of the page's items by their IDs.
    init(_ explanation: SectionExplanation, titles: [String: String]) {
        section = explanation.section.text
        notShown = explanation.notShown
        let sort = explanation.sort
        func title(_ item: UUID?, _ values: SectionExplanation.SortValues?, _ name: String? = nil) -> String {
            let id = item?.description
            return (values?.title ?? id.flatMap { titles[$0] } ?? name ?? id ?? "").printable(limit: 60)
        }
        slots = explanation.slots.enumerated().map { number, slot in
            let card = slot.card.map { "~\($0)" }
            let id = slot.item?.description ?? card ?? ""
            return switch slot.reason {
            case .pin(let pin): Line(slot: number, item: id, title: title(slot.item, nil, card), sentence: "pinned at slot \(pin)")
            case .rule(let index, let values):
                Line(
                    slot: number, item: id, title: title(slot.item, values),
                    sentence: "\(index.ordinal) match of the rule\(sort.reported(values))\(slot.pricePeriod.map(Self.price) ?? "")"
                        + (slot.ageRating.map(Self.rating) ?? ""))
            case .retained: Line(slot: number, item: id, title: title(slot.item, nil), sentence: "retained from the last good items")
            }
        }
        omitted = explanation.omitted.map { omittedItem in
            let name = omittedItem.reference?.description ?? omittedItem.card.map { "~\($0)" }
            return Line(
                slot: nil, item: omittedItem.item?.description ?? name ?? "", title: title(omittedItem.item, omittedItem.sortValues, name),
                sentence: Self.loss(of: omittedItem, by: sort))
        }
        notes = [
            explanation.notShown.map(Self.notShown), explanation.retained.map(Self.keeping), explanation.ruleFailure.map(Self.ruleFailure),
            explanation.unavailableFailure.map(Self.unavailableFailure),
        ].compactMap(\.self)
    }

    private static func price(_ price: ShownPrice) -> String {
        let instead = price.previousMinor.map { " instead of \($0)" } ?? ""
        let end = price.until.map { " until \($0)" } ?? ""
        return ", with the price \(price.amount.amountMinor)\(instead) \(price.amount.currency) in minor units\(end)"
    }

    private static func rating(_ rating: ShownAgeRating) -> String {
        let reason = rating.isMapped ? ", by its age in other schemes" : ""
        return ", with the label \(rating.label.printable(limit: 20)) of \(rating.scheme.printable(limit: 80))\(reason)"
    }

    private static func loss(of omittedItem: SectionExplanation.OmittedItem, by sort: Sort) -> String {
        let sortValues = omittedItem.sortValues.map { sort.reported($0) } ?? ""
        switch omittedItem.loss {
        case .excluded: return "excluded by the section\(sortValues)"
        case .pinned(let slot): return "already pinned at slot \(slot)"
        case .pinTarget(let slot): return "pinned at slot \(slot) for other clients"
        case .shownAbove(let section): return "already shown in the section \(section)\(sortValues)"
        case .overLimit: return "over the size of the section\(sortValues)"
        case .ineligible(let platforms):
            return "does not run on the platform of the client, only on \(platforms.joined(separator: ", "))\(sortValues)"
        case .absent:
            if omittedItem.item == nil { return "pinned, but the item does not exist" }
            return "\(omittedItem.reference == nil ? "selected by the rule" : "pinned"), but unavailable in this storefront\(sortValues)"
        }
    }

    private static func notShown(_ reason: SectionExplanation.NotShownReason) -> String {
        switch reason {
        case .notPublishedHere(let storefronts):
            return "The section is not published in this storefront: its target includes only \(listed("storefront", storefronts))."
        case .target(let condition):
            return "The client does not see this section: its target includes only \(clients(of: condition))."
        case .arm(let experiment, nil, _):
            return "The client does not see this section: the experiment '\(experiment.printable())' does not exist."
        case .arm(let experiment, let arm?, let reason):
            return "The client does not see this section: \(Self.sentence(arm.printable(), of: experiment.printable(), reason))."
        case .outsideDuring(let next?): return "The section is not published at this time. It starts at \(next.toTheSecond)."
        case .outsideDuring(nil):
            return "The section is not published at this time or later, because its period is over in this storefront."
        case .belowMinItems(let found, let needed, let platform):
            let clients = platform.map { " on \($0.printable())" } ?? ""
            return """
                The client does not see this section: it has \(found == 1 ? "1 item" : "\(found) items")\(clients), and at least \(needed) \(needed == 1 ? "is" : "are") needed.
                """
        }
    }

    /// Returns the clients that match a condition of a target, as the end of a sentence.
    private static func clients(of condition: Target.Condition) -> String {
        switch condition {
        case .storefronts(let list): listed("storefront", list)
        case .locales(let list): listed("locale", list)
        case .platforms(let list): listed("platform", list)
        case .appVersion(let range): "the app versions \(range)"
        case .os(let range): "the OS versions \(range)"
        case .tags(let list): "clients with \(list.count == 1 ? "" : "one of ")\(listed("tag", list.map { "'\($0)'" }))"
        case .experiment(let name, let arms): "\(listed("arm", arms.map { "'\($0)'" })) of the experiment '\(name.printable())'"
        case .unreadable: "clients that match a condition that this program does not know"
        }
    }

    /// Returns the values of a list with its name: `the locales ar, de`.
    private static func listed(_ name: String, _ values: [String]) -> String {
        "the \(name)\(values.count == 1 ? "" : "s") \(values.map { $0.printable() }.joined(separator: ", "))"
    }

    /// Returns the reason for the arm of a client, as the end of a sentence.
    private static func sentence(_ arm: String, of experiment: String, _ reason: SectionExplanation.ArmReason?) -> String {
        switch reason {
        case .draft: "the experiment '\(experiment)' has not started, so every client has the arm '\(arm)'"
        case .concluded: "the experiment '\(experiment)' is concluded, so every client has the winner, which is the arm '\(arm)'"
        case .holdout: "in the holdout, it has the default arm '\(arm)' of the experiment '\(experiment)'"
        case .noClientID: "without an ID, it has the arm '\(arm)' of the experiment '\(experiment)'"
        case .place(let place): "at place \(place), it has the arm '\(arm)' of the experiment '\(experiment)'"
        case nil: "it has the arm '\(arm)' of the experiment '\(experiment)'"
        }
    }

    private static func keeping(_ reason: ComposedItems.RetentionReason) -> String {
        switch reason {
        case .tooFew(let found, let minimum):
            "The rule finds \(found) items, fewer than the minimum of \(minimum). The section keeps its last good items, or is omitted."
        case .tooLargeDrop(let found, let before):
            "The rule finds \(found) items instead of \(before), a larger drop than maxDrop allows. The section keeps its last good items."
        }
    }

    private static func ruleFailure(_ failure: RuleFailure) -> String {
        switch failure {
        case .timeout: "The items of the rule are unknown: the rule takes too long."
        case .tooLarge: "The items of the rule are unknown: the rule is too large."
        case .skipped: "The items of the rule are unknown: the other rules took all of the time."
        }
    }

    private static func unavailableFailure(_ failure: RuleFailure) -> String {
        let reason =
            switch failure {
            case .timeout: "the search takes too long"
            case .tooLarge: "the rule is too large"
            case .skipped: "no time was left"
            }
        return "Items of the rule that are unavailable in this storefront are not listed: \(reason)."
    }

    /// Returns the table, with the sentences next to the titles, wrapped at the given width.
    func text(width: Int?) -> String {
        let room = min(40, width.map { $0 / 2 - 7 } ?? 40, (slots + omitted).map(\.title.columns).max() ?? 0)
        func line(_ number: String, _ line: Line) -> String {
            let title = line.title.columns > room ? line.title.prefix(columns: max(0, room - 1)) + "…" : line.title
            let head = String(repeating: " ", count: max(0, 3 - number.count)) + "\(number)  \(title)"
            let margin = String(repeating: " ", count: room + 7)
            let sentence = width.map { line.sentence.broken(into: $0 - room - 7) } ?? [line.sentence]
            return sentence.enumerated().map { index, part in
                (index == 0 ? head + margin.dropFirst(head.columns) : margin) + "\(part)\n"
            }.joined()
        }
        var text = notes.flatMap { note in width.map { note.broken(into: $0) } ?? [note] }.map { "\($0)\n" }.joined()
        text += slots.isEmpty ? "No items.\n" : "Items:\n" + slots.map { line("\($0.slot ?? 0)", $0) }.joined()
        if !omitted.isEmpty { text += "Omitted items:\n" + omitted.map { line("-", $0) }.joined() }
        return text
    }
}

extension Sort {
    fileprivate func reported(_ values: SectionExplanation.SortValues) -> String {
        switch self {
        case .chart(let chart):
            return values.rank.map { ": rank \($0) in the chart \(chart)" } ?? ": not in the chart \(chart)"
        case .rotation(let rotation): return ": by the rotation \(rotation.seed)"
        case .releaseDate: return ": released \(values.releasedOn)"
        case .title: return ": by title"
        case .rating:
            guard values.ratings > 0 else { return ": no ratings" }
            return ": \(values.stars) stars from \(values.ratings == 1 ? "1 rating" : "\(values.ratings) ratings")"
        }
    }
}

extension SectionExplanation.SortValues {
    /// The rating as `4.05`.
    var stars: String { "\(rating / 100).\(rating % 100 < 10 ? "0" : "")\(rating % 100)" }
}

extension Int {
    /// The ordinal of a zero-based index: `1st`, `12th`, `23rd`.
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

extension ExplanationText: JSONObjectEncodable {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("section", section)
        json.member("notShown", notShown)
        json.member("notes", notes)
        json.member("slots", slots)
        json.member("omitted", omitted)
    }
}

extension ExplanationText.Line: JSONObjectEncodable {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("slot", slot)
        json.member("item", item)
        json.member("title", title)
        json.member("reason", sentence)
    }
}
