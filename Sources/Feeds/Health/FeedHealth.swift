package import Items
internal import JSON
internal import Layout
internal import Resolve
package import Values

/// A published feed in a storefront, from which the findings about its content follow.
package struct FeedHealth {
    /// The reason why a shelf or a list does not have the items that its rule finds.
    package enum PartFailure: Sendable, Equatable {
        case insufficientItems(ComposedItems.RetentionReason)
        case timeout
        /// The rule did not run in this drain, so nothing is known about its items.
        case skipped
    }

    package struct Result: Sendable, Equatable {
        package fileprivate(set) var findings: [StorefrontFinding] = []
        /// The shelves and lists whose rules did not run.
        fileprivate var undecided: Set<SectionPart> = []

        /// Whether an earlier finding continues, because it is unknown whether its cause has ended.
        package func isUndecided(_ finding: StorefrontFinding) -> Bool {
            guard !undecided.isEmpty, let code = LiveFinding.Code(rawValue: finding.identity.code) else { return false }
            let section = finding.section.flatMap { SectionKey($0) }
            switch code {
            case .pinGone, .sectionKept, .sectionMissing: return section.map { undecided.contains(.shelf($0)) } ?? false
            case .ruleTooSlow:
                guard let section else { return false }
                return undecided.contains(finding.identity.subject == section.text ? .shelf(section) : .list(section))
            case .feedEmpty: return true
            case .deadAction, .noBase, .takeoverEnds, .experimentNotRunning, .spanMoved, .spanNotMoved, .unreadable: return false
            }
        }
    }

    let document: FeedDocument
    let revision: Int
    let storefront: Storefront
    /// The platforms of clients.
    let platforms: ClientPlatforms
    /// The sections that clients of the storefront can see.
    let sections: Set<SectionKey>
    let parts: [SectionPart: ComposedItems]
    let failures: [SectionPart: PartFailure]
    let references: [ItemReference: UUID]
    let registry: ExperimentRegistry

    package init(
        of document: FeedDocument, revision: Int, in storefront: Storefront, on platforms: ClientPlatforms, sections: Set<SectionKey>,
        parts: [SectionPart: ComposedItems], failures: [SectionPart: PartFailure], references: [ItemReference: UUID],
        registry: ExperimentRegistry
    ) {
        self.document = document
        self.revision = revision
        self.storefront = storefront
        self.platforms = platforms
        self.sections = sections
        self.parts = parts
        self.failures = failures
        self.references = references
        self.registry = registry
    }

    /// The findings about the sections, or about the feed if it shows none of them.
    package var result: Result {
        var result = Result()
        var showsSections = false
        let shortages = self.shortages
        for (index, section) in document.sections.enumerated() where sections.contains(section.key) {
            let pointer = FeedDocument.pointer(toSection: index)
            result.findings += experiments(of: section, at: pointer)
            for part in [SectionPart.shelf(section.key), .list(section.key)] where failures[part] == .skipped {
                result.undecided.insert(part)
            }
            result.findings += slowRules(of: section, at: pointer)
            let shortage = shortages[section.key]
            showsSections = showsSections || shortage != .everywhere
            if result.undecided.contains(.shelf(section.key)) { continue }
            let finding = shortage == .everywhere ? missing(section, at: pointer) : kept(section, at: pointer)
            if let finding { result.findings.append(finding) }
            if case .partial(let clients)? = shortage { result.findings += missing(section, for: clients, at: pointer) }
            result.findings += pins(of: section, at: pointer)
        }
        if !showsSections, result.undecided.isEmpty {
            result.findings.append(
                StorefrontFinding(
                    .feedEmpty, revision: revision, "the page shows no section",
                    "Publish a revision with sections for this storefront, or widen the rules."))
        }
        return result
    }

    private func missing(_ section: FeedSection, at pointer: JSONPointer) -> StorefrontFinding? {
        // A section without a minimum can be empty.
        if section.minItems == 0, failures[.shelf(section.key)] == nil { return nil }
        let isForPlatforms = section.target?.platforms.isEmpty == false
        let served = isForPlatforms ? servedPlatforms(section) : []
        // A section for platforms without clients has no finding.
        if isForPlatforms, served.isEmpty { return nil }
        let cause =
            failures[.shelf(section.key)] == .timeout
            ? "its rule takes too long and it has no earlier items" : "it has fewer items than minItems, which is \(section.minItems)"
        return StorefrontFinding(
            .sectionMissing, section.key.text, revision: revision, of: section.key, for: served,
            at: section.minItems == 1 ? pointer : pointer.appending("minItems"), "pages omit the section, because \(cause)",
            "Widen the rule, lower minItems, or target the section at other storefronts.")
    }

    /// Returns the findings about a section that other clients see. They are others than the one about all clients, which must not
    /// have their time.
    private func missing(_ section: FeedSection, for clients: Clients, at pointer: JSONPointer) -> [StorefrontFinding] {
        func finding(_ subject: String, _ pages: String, _ place: String, _ help: String) -> StorefrontFinding {
            StorefrontFinding(
                .sectionMissing, "\(section.key)/\(subject)", .warning, revision: revision, of: section.key,
                for: subject == "platforms" ? clients.platforms.sorted() : [],
                at: section.minItems == 1 ? pointer : pointer.appending("minItems"),
                "\(pages) omit the section, because it has fewer items \(place) than minItems, which is \(section.minItems)", help)
        }
        var findings: [StorefrontFinding] = []
        if clients.includesUnstated {
            findings.append(
                finding(
                    "unstated", "pages for clients that state no platform", "for them",
                    "Widen the rule, lower minItems, or let the sections above show fewer items."))
        }
        if !clients.platforms.isEmpty {
            findings.append(
                finding(
                    "platforms", "pages for these platforms", "there",
                    "Widen the rule, lower minItems, or target the section at other platforms. If a platform has no clients, set its field "
                        + "\"served\" to false with 'vitrine platform set'."))
        }
        return findings
    }

    private func kept(_ section: FeedSection, at pointer: JSONPointer) -> StorefrontFinding? {
        guard case .insufficientItems(let reason)? = failures[.shelf(section.key)] else { return nil }
        let (found, location) =
            switch reason {
            case .tooFew:
                ("fewer items than minItems, which is \(section.minItems)", section.minItems == 1 ? pointer : pointer.appending("minItems"))
            case .tooLargeDrop: ("far fewer items than before", pointer.appending("maxDrop"))
            }
        return StorefrontFinding(
            .sectionKept, section.key.text, revision: revision, of: section.key, for: platforms(section), at: location,
            "the rule finds \(found), so the section keeps the items that it had before",
            "Run 'vitrine section explain' to see what the rule finds. Correct the catalog, or change the rule or its limits.")
    }

    private func slowRules(of section: FeedSection, at pointer: JSONPointer) -> [StorefrontFinding] {
        var findings: [StorefrontFinding] = []
        func add(_ subject: String, _ name: String, at pointer: JSONPointer) {
            findings.append(
                StorefrontFinding(
                    .ruleTooSlow, subject, revision: revision, of: section.key, for: platforms(section), at: pointer.appending("rule"),
                    "the rule of the \(name) takes too long, so the \(name) keeps its previous items",
                    "Simplify the rule, or use another sort."))
        }
        let isShelfSlow = failures[.shelf(section.key)] == .timeout
        if isShelfSlow { add(section.key.text, "section", at: pointer) }
        let hasOwnRule = section.seeAll?.rule != nil
        if failures[.list(section.key)] == .timeout, hasOwnRule || !isShelfSlow {
            add("\(section.key)/list", "list", at: hasOwnRule ? pointer.appending("seeAll") : pointer)
        }
        return findings
    }

    private func pins(of section: FeedSection, at pointer: JSONPointer) -> [StorefrontFinding] {
        let shelf = parts[.shelf(section.key)]
        // Without previous items, it is unknown which pins are available.
        if shelf == nil, failures[.shelf(section.key)] == .timeout { return [] }
        let shown = Set((shelf?.pins ?? []).compactMap(\.item))
        return section.pins.enumerated().compactMap { index, pin in
            guard let item = pin.item, pin.target?.isFor(storefront.key) ?? true else { return nil }
            let pointer = pointer.appending("pins").appending(index).appending("item")
            // An item that is pinned under two names has one slot.
            guard let id = references[item], shown.contains(id) else {
                return StorefrontFinding(
                    .pinGone, "\(section.key)/\(item)", revision: revision, of: section.key, for: platforms(section, pin), at: pointer,
                    "\(item) is withdrawn or not available, so the items after it move up", "Pin another item, or remove the pin.")
            }
            let own = shelf?.placements[id]?.platforms
            let without = servedPlatforms(section, pin).filter { own?.contains($0) == false }
            if without.isEmpty { return nil }
            return StorefrontFinding(
                .pinGone, "\(section.key)/\(item)/platforms", revision: revision, of: section.key, for: without, at: pointer,
                "\(item) does not run on these platforms, where the items after it move up",
                "Pin an item that runs there, or target the pin at other platforms.")
        }
    }

    private func experiments(of section: FeedSection, at pointer: JSONPointer) -> [StorefrontFinding] {
        var findings: [StorefrontFinding] = []
        func add(_ target: Target?, _ subject: String, _ pin: Pin?, at pointer: JSONPointer) {
            guard let target, target.isFor(storefront.key) else { return }
            for key in target.experiments.keys.sorted() {
                guard let (cause, help) = pause(of: key) else { continue }
                findings.append(
                    StorefrontFinding(
                        .experimentNotRunning, "\(subject)/experiment:\(key)", revision: revision, of: section.key,
                        for: platforms(section, pin), at: pointer.appending("target").appending("experiment").appending(key), cause, help))
            }
        }
        add(section.target, section.key.text, nil, at: pointer)
        for (index, pin) in section.pins.enumerated() {
            add(pin.target, "\(section.key)/\(pin.name)", pin, at: pointer.appending("pins").appending(index))
        }
        return findings
    }

    /// Returns the reason why an experiment gives all clients the same arm, and the remedy. Returns nil if it is running.
    private func pause(of key: String) -> (cause: String, help: String)? {
        guard let experiment = registry.experiments[key] else {
            return (
                "the experiment '\(key)' does not exist, so no client has one of the arms", "Create the experiment, or remove the target."
            )
        }
        switch experiment.state {
        case .running: return nil
        case .draft:
            return (
                "the experiment '\(key)' has not started, so every client has the arm '\(experiment.defaultArm)'",
                "Start it with 'vitrine experiment start \(key)', or remove the target."
            )
        case .concluded(let winner):
            return (
                "the experiment '\(key)' is concluded, so every client has the arm '\(winner)'",
                "Publish a revision that keeps only the sections of the winner, without the target."
            )
        }
    }

    /// Returns the platforms of the clients that can see a section or a pin. Empty if all clients can.
    private func platforms(_ section: FeedSection, _ pin: Pin? = nil) -> [String] {
        FeedHealth.platforms([section.target, pin?.target])
    }

    static func platforms(_ targets: [Target?]) -> [String] {
        let lists = targets.compactMap { $0?.platforms }.filter { !$0.isEmpty }
        guard let first = lists.first else { return [] }
        return first.filter { platform in lists.allSatisfy { $0.contains(platform) } }.sorted()
    }
}
