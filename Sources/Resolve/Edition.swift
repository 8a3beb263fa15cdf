/// A page before or after some facts about its client are applied: its sections and their placements, without texts and
/// layouts.
package struct Edition: Sendable, Hashable {
    package enum Assignment: Sendable, Hashable {
        case experiment(Experiment)
        /// The arm of this client.
        case arm(String)
    }

    package var sections: [ResolvableSection]
    package var experiments: [String: Assignment]
    package let holdout: Holdout?

    package init(sections: [ResolvableSection], experiments: [String: Assignment] = [:], holdout: Holdout? = nil) {
        self.sections = sections
        self.experiments = experiments
        self.holdout = holdout
    }
}

/// A section of a page, for the function `resolve`.
package struct ResolvableSection: Sendable, Hashable {
    package let id: String
    package var target: Target?
    /// The way to fill the shelf, or nil if the placements are the shelf.
    package var fill: Fill?
    /// The pins and the candidates, each in their order. A pin whose item the rule finds as well appears twice, because
    /// a client that does not see the pin can find its item among the candidates.
    package var placements: [Placement]

    package init(id: String, target: Target? = nil, fill: Fill? = nil, placements: [Placement]) {
        self.id = id
        self.target = target
        self.fill = fill
        self.placements = placements
    }
}

/// The way to fill a shelf from its pins and candidates.
package struct Fill: Sendable, Hashable {
    /// The maximum number of placements on the shelf.
    package let size: Int
    /// The minimum number of placements. A section with fewer is not shown, and neither is an empty one.
    package let minItems: Int
    /// The sections above whose items this section does not repeat.
    package var without: [String]

    package init(size: Int, minItems: Int = 1, without: [String] = []) {
        self.size = size
        self.minItems = minItems
        self.without = without
    }
}

package struct Placement: Sendable, Hashable {
    package struct Pin: Sendable, Hashable {
        package let slot: Int
        /// The clients that see the pin, or nil if all of them do.
        package var target: Target?

        package init(slot: Int, target: Target? = nil) {
            self.slot = slot
            self.target = target
        }
    }

    package let id: String
    /// The ID of the item. It is nil if the placement is a card.
    package let item: String?
    /// The pin. It is nil if the placement is a candidate.
    package var pin: Pin?
    /// The platforms on which the item runs, or nil if no platform matters. A client that states no platform sees the
    /// item too. Never empty.
    package var platforms: Set<String>?

    package init(id: String, item: String?, pin: Pin? = nil, platforms: Set<String>? = nil) {
        self.id = id
        self.item = item
        self.pin = pin
        self.platforms = platforms
    }
}
