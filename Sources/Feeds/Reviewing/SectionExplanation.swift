package import Items
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
