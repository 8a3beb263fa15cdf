package import Items
package import JSON
package import Resolve
package import Values

/// An explanation of why each item of a section has its slot, and why other items are omitted.
package struct SectionExplanation: Sendable, Equatable {
    package struct SortValues: Sendable, Equatable {
        /// The rank on the chart, from 1.
        package let rank: Int?
        /// The rating, in hundredths.
        package let rating: Int
        package let ratings: Int
        package let releasedOn: CalendarDay
        package let title: String?
    }

    package enum Reason: Sendable, Equatable {
        case pin(slot: Int)
        /// The rule found the item at this position, from 0.
        case rule(index: Int, SortValues)
        /// The section retains the item, because the rule finds too few items or takes too long.
        case retained
    }

    package enum OmissionReason: Sendable, Equatable {
        case excluded
        /// The item is pinned to this slot.
        case pinned(slot: Int)
        /// The item or the card is pinned to this slot for other clients.
        case pinTarget(slot: Int)
        /// The client sees the item in a section above.
        case shownAbove(SectionKey)
        case overLimit
        /// The item does not run on the platform of the client. The platforms are those of the clients that see it.
        case ineligible(platforms: [String])
        /// The item is pinned or matches the rule, but is withdrawn or not in the storefront at the time.
        case absent
    }

    /// The reason why the client does not see the section.
    package enum NotShownReason: Sendable, Equatable {
        /// The section is published only in these storefronts.
        case notPublishedHere(storefronts: [String])
        /// The client does not match this condition of the target, which is the first of them. It is not about an experiment.
        case target(Target.Condition)
        /// The client has another arm of an experiment. The arm is nil if the experiment does not exist.
        case arm(experiment: String, arm: String?, ArmReason?)
        /// The time is outside of the period of the section. `next` is the time at which it starts, or nil if it is over or
        /// empty in the storefront.
        case outsideDuring(next: Timestamp?)
        /// The client would see too few items. The platform is nil if the client states none.
        case belowMinItems(found: Int, needed: Int, platform: String?)
    }

    /// The reason why a client has its arm of an experiment.
    package enum ArmReason: Sendable, Equatable {
        /// The experiment has not started, so every client has the default.
        case draft
        /// The experiment has ended, so every client has the winner.
        case concluded
        /// The client states no ID, so it has the default.
        case noClientID
        /// The client is in the holdout, so it has the default.
        case holdout
        /// The client has the arm of this place.
        case place(Int)

        package init(of client: Fact<String>, in experiment: Experiment, _ holdout: Holdout?) {
            switch (experiment.state, client) {
            case (.draft, _): self = .draft
            case (.concluded, _): self = .concluded
            case (.running, .said(let id)):
                self = holdout?.includes(id) == true ? .holdout : .place(Place.of(id, in: experiment.salt))
            case (.running, _): self = .noClientID
            }
        }
    }

    /// The item or the card at a slot.
    package struct Slot: Sendable, Equatable {
        /// The item, or nil if the slot has a card.
        package let item: UUID?
        /// The key of the card, or nil if the slot has an item.
        package let card: CardKey?
        package let reason: Reason
        /// The price that the rule used, if it is that of a price period.
        package let pricePeriod: ShownPrice?
        /// The age rating that the rule used.
        package let ageRating: ShownAgeRating?

        package init(
            item: UUID? = nil, card: CardKey? = nil, reason: Reason, pricePeriod: ShownPrice? = nil, ageRating: ShownAgeRating? = nil
        ) {
            self.item = item
            self.card = card
            self.reason = reason
            self.pricePeriod = pricePeriod
            self.ageRating = ageRating
        }
    }

    package struct OmittedItem: Sendable, Equatable {
        /// The item, or nil if the document names one that does not exist.
        package let item: UUID?
        /// The key of the card that is not shown, or nil if it is an item.
        package let card: CardKey?
        package let reference: ItemReference?
        package let loss: OmissionReason
        package let sortValues: SortValues?

        package init(
            item: UUID?, card: CardKey? = nil, reference: ItemReference? = nil, loss: SectionExplanation.OmissionReason,
            sortValues: SectionExplanation.SortValues? = nil
        ) {
            self.item = item
            self.card = card
            self.reference = reference
            self.loss = loss
            self.sortValues = sortValues
        }
    }

    package let section: SectionKey
    package let sort: Sort
    package let slots: [Slot]
    /// The omitted items: first pinned and excluded ones, then the next ones of the rule, then those that the rule
    /// would find if they were in the storefront.
    package let omitted: [OmittedItem]
    /// The reason why the section does not show the items that the rule finds.
    package let retained: ComposedItems.RetentionReason?
    /// The reason why the items of the rule are unknown.
    package let ruleFailure: RuleFailure?
    /// The reason why matching items that are not in the storefront are unknown.
    package var unavailableFailure: RuleFailure?
    /// The reason why the client does not see the section, or nil if it sees the section. A section that is not published, or not
    /// at this time, has no slots.
    package var notShown: NotShownReason?

    package init(
        section: SectionKey, sort: Sort, slots: [Slot], omitted: [OmittedItem], retained: ComposedItems.RetentionReason?,
        ruleFailure: RuleFailure?,
        unavailableFailure: RuleFailure? = nil, notShown: NotShownReason? = nil
    ) {
        self.section = section
        self.sort = sort
        self.slots = slots
        self.omitted = omitted
        self.retained = retained
        self.ruleFailure = ruleFailure
        self.unavailableFailure = unavailableFailure
        self.notShown = notShown
    }

    /// Creates the explanation of a section that is not composed.
    package init(section: SectionKey, sort: Sort, notShown: NotShownReason) {
        self.init(section: section, sort: sort, slots: [], omitted: [], retained: nil, ruleFailure: nil, notShown: notShown)
    }
}

extension SectionExplanation.SortValues {
    package init(_ candidate: Candidate) {
        self.init(
            rank: candidate.rank, rating: candidate.facts.ratingAverage, ratings: candidate.facts.ratingCount,
            releasedOn: candidate.facts.releasedOn, title: candidate.title)
    }
}

// MARK: JSON

extension SectionExplanation: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("section", section)
        json.member("sort", sort)
        json.member("slots", each: slots.enumerated()) { json, entry in
            let (index, slot) = entry
            json.object { json in
                json.member("slot", index)
                json.member("item", slot.item?.description)
                json.member("card", slot.card)
                slot.reason.encodeMembers(to: &json)
                json.member("pricePeriod", slot.pricePeriod)
                json.member("ageRating", slot.ageRating)
            }
        }
        json.member("omitted", omitted)
        if let retained { json.member("retained", retained) }
        json.member("ruleFailure", ruleFailure?.rawValue)
        json.member("unavailableFailure", unavailableFailure?.rawValue)
        json.member("notShown", notShown)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        section = try object.value("section")
        sort = object.essential("sort", default: .standard)
        slots = try object.value("slots")
        omitted = try object.value("omitted")
        retained = object.essential("retained")
        ruleFailure = object.essential("ruleFailure")
        unavailableFailure = object.essential("unavailableFailure")
        notShown = object.essential("notShown")
    }
}

extension SectionExplanation.NotShownReason: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .notPublishedHere(let storefronts):
            json.member("reason", "notPublishedHere")
            json.member("storefronts", storefronts)
        case .target(let condition):
            json.member("reason", "target")
            json.member("condition", Target([condition]))
        case .arm(let experiment, let arm, let reason):
            json.member("reason", "arm")
            json.member("experiment", experiment)
            json.member("arm", arm)
            reason?.encodeMembers(to: &json)
        case .outsideDuring(let next):
            json.member("reason", "outsideDuring")
            json.member("nextAt", next?.description)
        case .belowMinItems(let found, let needed, let platform):
            json.member("reason", "belowMinItems")
            json.member("foundCount", found)
            json.member("minItems", needed)
            json.member("platform", platform)
        }
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let reason: String = try object.value("reason")
        switch reason {
        case "notPublishedHere": self = .notPublishedHere(storefronts: try object.value("storefronts"))
        case "target":
            let target: Target = try object.value("condition")
            self = .target(target.conditions.first ?? .unreadable)
        case "arm":
            let experiment: String = try object.value("experiment")
            self = .arm(experiment: experiment, arm: object.optional("arm"), SectionExplanation.ArmReason(&object))
        case "outsideDuring": self = .outsideDuring(next: object.optional("nextAt"))
        case "belowMinItems":
            self = .belowMinItems(
                found: try object.value("foundCount"), needed: try object.value("minItems"), platform: object.optional("platform"))
        default:
            throw object.refuse(
                .invalidChoice, at: "reason", "expected notPublishedHere, target, arm, outsideDuring or belowMinItems")
        }
    }
}

extension SectionExplanation.ArmReason {
    fileprivate func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .draft: json.member("armReason", "draft")
        case .concluded: json.member("armReason", "concluded")
        case .noClientID: json.member("armReason", "noClientId")
        case .holdout: json.member("armReason", "holdout")
        case .place(let place):
            json.member("armReason", "place")
            json.member("place", place)
        }
    }

    /// Reads the reason. Returns nil if it is missing or unknown.
    fileprivate init?(_ object: inout JSONObjectReader) {
        let reason: String? = object.optional("armReason")
        let place: Int? = object.optional("place")
        switch (reason, place) {
        case ("draft", _): self = .draft
        case ("concluded", _): self = .concluded
        case ("noClientId", _): self = .noClientID
        case ("holdout", _): self = .holdout
        case ("place", let place?): self = .place(place)
        default: return nil
        }
    }
}

extension SectionExplanation.Slot: JSONObjectDecodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        item = object.essential("item")
        card = object.essential("card")
        pricePeriod = object.essential("pricePeriod")
        ageRating = object.essential("ageRating")
        let reason: String = try object.value("reason")
        switch reason {
        case "pin": self.reason = .pin(slot: try object.value("pinnedSlot"))
        case "rule": self.reason = .rule(index: try object.value("rulePosition"), try object.value("sortValues"))
        case "retained": self.reason = .retained
        default: throw object.refuse(.invalidChoice, at: "reason", "expected pin, rule or retained")
        }
    }
}

extension SectionExplanation.Reason {
    fileprivate func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .pin(let slot):
            json.member("reason", "pin")
            json.member("pinnedSlot", slot)
        case .rule(let index, let sortValues):
            json.member("reason", "rule")
            json.member("rulePosition", index)
            json.member("sortValues", sortValues)
        case .retained: json.member("reason", "retained")
        }
    }
}

extension SectionExplanation.OmittedItem: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("item", item?.description)
        json.member("card", card)
        json.member("reference", reference?.description)
        switch loss {
        case .excluded: json.member("reason", "excluded")
        case .pinned(let slot):
            json.member("reason", "pinned")
            json.member("pinnedSlot", slot)
        case .pinTarget(let slot):
            json.member("reason", "pinTarget")
            json.member("pinnedSlot", slot)
        case .shownAbove(let section):
            json.member("reason", "shownAbove")
            json.member("section", section)
        case .overLimit: json.member("reason", "overLimit")
        case .ineligible(let platforms):
            json.member("reason", "ineligible")
            json.member("platforms", platforms)
        case .absent: json.member("reason", "unavailable")
        }
        json.member("sortValues", sortValues)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        item = object.essential("item")
        card = object.essential("card")
        reference = object.essential("reference")
        let reason: String = try object.value("reason")
        sortValues = object.essential("sortValues")
        switch reason {
        case "excluded": loss = .excluded
        case "pinned": loss = .pinned(slot: try object.value("pinnedSlot"))
        case "pinTarget": loss = .pinTarget(slot: try object.value("pinnedSlot"))
        case "shownAbove": loss = .shownAbove(try object.value("section"))
        case "overLimit": loss = .overLimit
        case "ineligible": loss = .ineligible(platforms: object.essential("platforms", default: []))
        case "unavailable": loss = .absent
        default:
            throw object.refuse(
                .invalidChoice, at: "reason", "expected excluded, pinned, pinTarget, shownAbove, overLimit, ineligible or unavailable")
        }
    }
}

extension SectionExplanation.SortValues: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("chartRank", rank)
        json.member("rating") { json in
            json.member("average", Double(rating) / 100)
            json.member("count", ratings)
        }
        json.member("releaseDate", releasedOn)
        json.member("title", title)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        rank = object.essential("chartRank")
        let rating: ExplainedRating = try object.value("rating")
        (self.rating, ratings) = (rating.hundredths, rating.count)
        releasedOn = try object.value("releaseDate")
        title = object.essential("title")
    }
}

private struct ExplainedRating: JSONObjectDecodable {
    let hundredths: Int
    let count: Int

    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let average: Double = try object.value("average", .in(0...5))
        hundredths = Int((average * 100).rounded())
        count = try object.value("count")
    }
}

extension ComposedItems.RetentionReason: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .tooFew(let found, let minimum):
            json.member("reason", "tooFewItems")
            json.member("foundCount", found)
            json.member("minItems", minimum)
        case .tooLargeDrop(let found, let before):
            json.member("reason", "dropTooLarge")
            json.member("foundCount", found)
            json.member("previousCount", before)
        }
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let reason: String = try object.value("reason")
        let found: Int = try object.value("foundCount")
        switch reason {
        case "tooFewItems": self = .tooFew(found: found, minimum: try object.value("minItems"))
        case "dropTooLarge": self = .tooLargeDrop(found: found, before: try object.value("previousCount"))
        default: throw object.refuse(.invalidChoice, at: "reason", "expected tooFewItems or dropTooLarge")
        }
    }
}

package struct FeedExplanation: Sendable {
    package let feed: FeedKey
    /// The revision, or nil if the document is not saved.
    package let revision: Int?
    package let storefront: String
    package let locale: LocaleTag
    package let sections: [SectionExplanation]

    package init(feed: FeedKey, revision: Int?, storefront: String, locale: LocaleTag, sections: [SectionExplanation]) {
        self.feed = feed
        self.revision = revision
        self.storefront = storefront
        self.locale = locale
        self.sections = sections
    }
}

extension FeedExplanation: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", feed)
        json.member("revision", revision)
        json.member("storefront", storefront)
        json.member("locale", locale.text)
        json.member("sections", sections)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        feed = try object.value("feed")
        revision = object.essential("revision")
        storefront = try object.value("storefront")
        let tag = LocaleTag(try object.value("locale"))
        sections = try object.value("sections")
        guard let tag else { throw object.refuse(.invalidFormat, at: "locale", "expected a locale such as en or pt-BR") }
        locale = tag
    }
}
