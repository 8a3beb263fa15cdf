package import Items
package import JSON
package import Values

/// Why each item of a section stands where it does, and why others do not.
package struct SectionExplanation: Sendable, Equatable {
    /// What a rule knew of an item, of which the sort has decided.
    package struct SortValues: Sendable, Equatable {
        /// On the chart, from 1.
        package let rank: Int?
        /// In hundredths.
        package let rating: Int
        package let ratings: Int
        package let releasedOn: CalendarDay
        package let title: String?
    }

    package enum Reason: Sendable, Equatable {
        case pin(slot: Int)
        /// By its place among what the rule found, from 0.
        case rule(place: Int, SortValues)
        /// It stood there before, and the rule finds too little now, or nothing in time.
        case kept
    }

    package enum OmissionReason: Sendable, Equatable {
        case excluded
        /// It stands where it is pinned.
        case pinned(slot: Int)
        case behindTheLimit
        /// It is pinned, or the rule would find it, and it is not in the storefront then, or withdrawn.
        case absent
    }

    package struct Slot: Sendable, Equatable {
        package let item: UUID
        package let reason: Reason

        package init(item: UUID, reason: Reason) {
            self.item = item
            self.reason = reason
        }
    }

    package struct OmittedItem: Sendable, Equatable {
        /// Nil for one that is named and that there is not.
        package let item: UUID?
        package let reference: ItemReference?
        package let loss: OmissionReason
        package let merit: SortValues?

        package init(item: UUID?, reference: ItemReference?, loss: SectionExplanation.OmissionReason, merit: SectionExplanation.SortValues?)
        {
            self.item = item
            self.reference = reference
            self.loss = loss
            self.merit = merit
        }
    }

    package let section: SectionKey
    package let sort: Sort
    package let slots: [Slot]
    /// What was considered besides: what is pinned or excluded, then what came next by the rule, then what it would find if that were in
    /// the storefront.
    package let losers: [OmittedItem]
    /// Why it shows something else than the rule finds.
    package let kept: ComposedSection.RetentionReason?
    /// Why nobody knows what the rule finds.
    package let lack: RuleFailure?
    /// Why nobody has looked for what the rule would find if that were in the storefront.
    package var absentLack: RuleFailure?

    package init(
        section: SectionKey, sort: Sort, slots: [Slot], losers: [OmittedItem], kept: ComposedSection.RetentionReason?, lack: RuleFailure?,
        absentLack: RuleFailure? = nil
    ) {
        self.section = section
        self.sort = sort
        self.slots = slots
        self.losers = losers
        self.kept = kept
        self.lack = lack
        self.absentLack = absentLack
    }
}

extension SectionExplanation.SortValues {
    package init(_ candidate: Candidate) {
        self.init(
            rank: candidate.rank, rating: candidate.facts.ratingAverage, ratings: candidate.facts.ratingCount,
            releasedOn: candidate.facts.releasedOn, title: candidate.title)
    }
}

extension SectionExplanation: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("section", section)
            json.member("sort", sort)
            json.key("slots")
            json.array { json in
                for (place, slot) in slots.enumerated() {
                    json.object { json in
                        json.member("slot", place)
                        json.member("item", slot.item.description)
                        slot.reason.encodeMembers(to: &json)
                    }
                }
            }
            json.key("losers")
            json.array { json in
                for loser in losers {
                    json.object { json in
                        json.member("item", loser.item?.description)
                        json.member("named", loser.reference?.description)
                        loser.loss.encodeMembers(to: &json)
                        json.member("merit", loser.merit)
                    }
                }
            }
            if let kept { json.member("kept", kept) }
            json.member("lack", lack?.word)
            json.member("absentLack", absentLack?.word)
        }
    }
}

extension SectionExplanation.Reason {
    fileprivate func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .pin(let slot):
            json.member("reason", "pin")
            json.member("pin", slot)
        case .rule(let place, let merit):
            json.member("reason", "rule")
            json.member("place", place)
            json.member("merit", merit)
        case .kept: json.member("reason", "kept")
        }
    }
}

extension SectionExplanation.OmissionReason {
    fileprivate func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .excluded: json.member("reason", "excluded")
        case .pinned(let slot):
            json.member("reason", "pinned")
            json.member("pin", slot)
        case .behindTheLimit: json.member("reason", "behindTheLimit")
        case .absent: json.member("reason", "absent")
        }
    }
}

extension SectionExplanation.SortValues: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("rank", rank)
            json.member("ratingHundredths", rating)
            json.member("ratings", ratings)
            json.member("releasedOn", releasedOn)
            json.member("title", title)
        }
    }
}

extension ComposedSection.RetentionReason: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .tooFew(let found, let minimum):
                json.member("because", "tooFew")
                json.member("found", found)
                json.member("minimum", minimum)
            case .tooLargeDrop(let found, let before):
                json.member("because", "tooLargeDrop")
                json.member("found", found)
                json.member("before", before)
            }
        }
    }
}

extension RuleFailure {
    fileprivate var word: String {
        switch self {
        case .tooSlow: "tooSlow"
        case .tooLarge: "tooLarge"
        case .notAsked: "notAsked"
        }
    }
}
