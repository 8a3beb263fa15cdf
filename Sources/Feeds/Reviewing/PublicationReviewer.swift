internal import Items
internal import JSON
package import Layout
internal import Resolve
package import Values

/// A review of a document for the period that a publication has in each storefront, which finds the problems of
/// publishing it. A document without an error can be published.
package struct PublicationReviewer {
    let document: FeedDocument
    let context: ReviewContext
    /// The period from the start of the publication to its end, by storefront. The storefronts without one are not
    /// reviewed.
    let periods: [String: Range<Timestamp>]
    let matrix: ScreenMatrix
    let hash: LayoutHash

    package init(
        of document: FeedDocument, in context: ReviewContext, during periods: [String: Range<Timestamp>], on matrix: ScreenMatrix,
        hashedBy hash: @escaping LayoutHash
    ) {
        self.document = document
        self.context = context
        self.periods = periods
        self.matrix = matrix
        self.hash = hash
    }

    /// The findings, errors first, each in the order of the document.
    package var findings: [ReviewFinding] {
        var found = missingTexts(document.title, of: nil, at: JSONPointer.root.appending("title"))
        let references = Dictionary(grouping: document.references, by: \.section)
        for (index, section) in document.sections.enumerated() {
            let pointer = FeedDocument.pointer(toSection: index)
            found += (references[section.key] ?? []).compactMap { unknown($0, of: section) }
            found += deadActions(of: section, at: pointer) + rulesForAnybody(of: section, at: pointer)
            found += itemsAbove(section, at: pointer)
            found += largeRules(of: section, at: pointer) + pins(of: section, at: pointer) + slowRules(of: section, at: pointer)
            found += ineligiblePins(of: section, at: pointer) + tooFew(section, at: pointer) + emptyPeriods(of: section, at: pointer)
            found += layouts(of: section, at: index, pointer) + texts(of: section, at: pointer)
        }
        return found.filter { $0.severity == .error } + found.filter { $0.severity == .warning }
    }

    /// Returns the storefronts that the section is for, without those in which it does not exist during the publication.
    func storefronts(of section: FeedSection?, _ pin: Pin? = nil) -> [Storefront] {
        let targets = [section?.target, pin?.target].compactMap(\.self)
        var storefronts: [Storefront] = []
        for storefront in context.storefronts where periods[storefront.key] != nil && targets.allSatisfy({ $0.isFor(storefront.key) }) {
            if section?.during == nil || !period(of: section, in: storefront).isEmpty { storefronts.append(storefront) }
        }
        return storefronts
    }

    /// Returns the part of the publication in a storefront during which the section exists. It is empty if they do not overlap.
    func period(of section: FeedSection?, in storefront: Storefront) -> Range<Timestamp> {
        let publication = periods[storefront.key] ?? .latest..<(.latest)
        guard let span = section?.during?.span(by: clock(of: storefront)) else { return publication }
        // A range after the other one is clamped to an empty range at its end.
        return publication.clamped(to: span)
    }

    private func clock(of storefront: Storefront) -> LocalClock { context.clocks[storefront.key] ?? LocalClock() }

    // MARK: References

    private func unknown(_ reference: ExternalReference, of section: FeedSection) -> ReviewFinding? {
        func finding(_ severity: Finding.Severity, _ code: ReviewFinding.Code, _ message: String, _ help: String) -> ReviewFinding {
            ReviewFinding(
                severity: severity, code: code, section: reference.section, pointer: reference.pointer, message: message, help: help)
        }
        switch reference.subject {
        case .item(let item):
            guard context.items[item] == nil else { return nil }
            return finding(.error, .unknownItem, "the item \(item) does not exist", "Correct or remove the reference.")
        case .category(let key):
            guard !context.categories.contains(key) else { return nil }
            return finding(.error, .unknownCategory, "the category \(key) does not exist", "Correct the key or remove the condition.")
        case .cuisine(let key):
            guard !context.cuisines.contains(key) else { return nil }
            return finding(.error, .unknownCuisine, "no item has the cuisine \(key)", "Correct the key or remove the condition.")
        case .developer(let name):
            guard !context.developers.contains(name) else { return nil }
            return finding(.error, .unknownDeveloper, "no item is by the developer \(name)", "Correct the name or remove the condition.")
        case .tag(let slug):
            guard !context.tags.contains(slug) else { return nil }
            return finding(.error, .unknownTag, "no item has the tag \(slug)", "Correct the tag, or add it to items.")
        case .platform(let key):
            guard !context.platforms.contains(key) else { return nil }
            return finding(
                .error, .unknownPlatform, "the platform \(key) does not exist", "The platforms are \(context.platforms.sorted().listed).")
        case .servedPlatform(let key):
            guard context.platforms.contains(key) else {
                return finding(
                    .error, .unknownPlatform, "the platform \(key) does not exist",
                    "The platforms are \(context.platforms.sorted().listed).")
            }
            guard !context.servedPlatforms.contains(key) else { return nil }
            return finding(
                .warning, .unknownPlatform, "the platform \(key) has \"served\": false, so its clients can see too few items",
                "Set it to true with 'vitrine platform set'. If no client is on this platform, remove it from the target.")
        case .chart(let name):
            let without = storefronts(of: section).map(\.key).filter { context.charts[$0]?.contains(name) != true }
            if context.charts.values.allSatisfy({ !$0.contains(name) }) {
                return finding(.error, .unknownChart, "the chart \(name) does not exist", "Correct the name or use another sort.")
            }
            guard !without.isEmpty else { return nil }
            return finding(
                .warning, .missingChart, "the chart \(name) does not exist in \(without.listed), so the rule finds no items there",
                "Add the chart, or target the section at other storefronts.")
        case .storefront(let key):
            guard !context.storefronts.contains(where: { $0.key == key }) else { return nil }
            return finding(
                .error, .unknownStorefront, "the storefront \(key) does not exist",
                "The storefronts are \(context.storefronts.map(\.key).listed)."
            )
        case .scheme(let scheme):
            guard !context.actionSchemes.contains(scheme) else { return nil }
            return finding(
                .error, .urlScheme, "URLs of actions cannot have the scheme \(scheme)",
                "Use \(context.actionSchemes.sorted().listed), or add the scheme to the setting actions.schemes.")
        case .experiment(let key):
            guard context.arms[key] == nil else { return nil }
            let known = context.arms.keys.sorted()
            return finding(
                .error, .unknownExperiment, "the experiment '\(key)' does not exist",
                known.isEmpty ? "Create it with 'vitrine experiment set'." : "Create it, or use one of \(known.listed).")
        case .arm(let arm, let key):
            guard let arms = context.arms[key], !arms.contains(arm) else { return nil }
            return finding(
                .error, .unknownArm, "the experiment '\(key)' has no arm '\(arm)'", "The arms are \(arms.sorted().listed).")
        case .feed, .list:
            return nil
        case .locale(let locale):
            // Also those of storefronts that this publication is not for.
            let locales = context.storefronts.filter { section.target?.isFor($0.key) ?? true }.flatMap(\.locales)
            guard !locales.contains(where: { $0.has(locale) }) else { return nil }
            return finding(
                .error, .unknownLocale, "no storefront of the section has the locale \(locale)",
                "Remove the locale, or add it to a storefront.")
        }
    }

    // MARK: Rules and pins

    private func largeRules(of section: FeedSection, at pointer: JSONPointer) -> [ReviewFinding] {
        var rules = section.rule.map { [($0, pointer.appending("rule"))] } ?? []
        if let rule = section.seeAll?.rule { rules.append((rule, pointer.appending("seeAll").appending("rule"))) }
        for (index, badge) in section.badges.enumerated() {
            if case .rule(let rule) = badge.bearers { rules.append((rule, pointer.appending("badges").appending(index).appending("when"))) }
        }
        return rules.compactMap { rule, pointer -> ReviewFinding? in
            do throws(RuleTooLarge) {
                try RuleNormalForm.check(rule)
                return nil
            } catch {
                return ReviewFinding(
                    severity: .error, code: .ruleTooLarge, section: section.key, pointer: pointer, message: error.description,
                    help: "Simplify the rule, or split the section in two.")
            }
        }
    }

    private func pins(of section: FeedSection, at pointer: JSONPointer) -> [ReviewFinding] {
        section.pins.enumerated().flatMap { index, pin -> [ReviewFinding] in
            guard let item = pin.item, let availability = context.items[item] else { return [] }
            let places = storefronts(of: section, pin).map { storefront in
                let period = period(of: section, in: storefront)
                return (key: storefront.key, period: period, times: availability.times(in: storefront.key, within: period))
            }
            func finding(_ code: ReviewFinding.Code, _ message: String, _ help: String) -> ReviewFinding {
                ReviewFinding(
                    severity: .warning, code: code, section: section.key,
                    pointer: pointer.appending("pins").appending(index).appending("item"), message: message, help: help)
            }
            var found: [ReviewFinding] = []
            let without = places.filter(\.times.isEmpty).map(\.key)
            if !without.isEmpty {
                found.append(
                    finding(
                        .unavailablePin, "\(item) is not available in \(without.listed), so the items after it move up",
                        "Pin an available item, or target the section at other storefronts."))
            }
            let passing = places.filter { !$0.times.isEmpty && $0.times != [$0.period] }
            // Most items become available or unavailable everywhere at the same time, although the section can start at another
            // time in each storefront.
            let groups = Dictionary(grouping: passing) { place in place.times.map { reported($0, within: place.period) } }
            for (times, places) in groups.sorted(by: { $0.value[0].key < $1.value[0].key }) {
                found.append(
                    finding(
                        .partlyAvailablePin, "in \(places.map(\.key).listed), \(item) is available only \(times.listed)",
                        "The items after it move up during the rest of the period. Publish for another period, or pin another item."))
            }
            return found
        }
    }

    private func reported(_ time: Range<Timestamp>, within period: Range<Timestamp>) -> String {
        let start = time.lowerBound == period.lowerBound ? nil : "from \(time.lowerBound)"
        let end = time.upperBound == period.upperBound ? nil : "until \(time.upperBound)"
        return [start, end].compactMap(\.self).joined(separator: " ")
    }

    /// Returns the findings about rules that take too long, for the shelf and for the list.
    private func slowRules(of section: FeedSection, at pointer: JSONPointer) -> [ReviewFinding] {
        section.parts.flatMap { part, _ -> [ReviewFinding] in
            var live = live(part, of: section)
            var name = "rule of the section \(section.key)"
            var place = pointer
            if case .list = part {
                name = "rule of the list of the section \(section.key)"
                if section.seeAll?.rule != nil {
                    place = pointer.appending("seeAll")
                } else {
                    // The rule is that of the shelf, which is reported there.
                    live.removeAll { context.live[$0.key]?[.shelf(section.key)]?.ruleFailure != nil }
                }
            }
            func finding(_ message: String, _ help: String) -> ReviewFinding {
                ReviewFinding(
                    severity: .error, code: .ruleTooSlow, section: section.key, pointer: place.appending("rule"), message: message,
                    help: help)
            }
            let slow = live.filter { $0.shown.ruleFailure == .timeout }.map(\.key)
            let waiting = live.filter { $0.shown.ruleFailure == .skipped }.map(\.key)
            var found: [ReviewFinding] = []
            if !slow.isEmpty {
                found.append(finding("the \(name) takes too long in \(slow.listed)", "Simplify the rule, or use another sort."))
            }
            if !waiting.isEmpty {
                found.append(
                    finding(
                        "the \(name) was skipped in \(waiting.listed), because other rules take too long",
                        "Simplify the rules of the slow sections."))
            }
            return found
        }
    }

    private func live(_ part: SectionPart, of section: FeedSection) -> [(key: String, shown: ReviewContext.VisiblePart)] {
        storefronts(of: section).compactMap { storefront in context.live[storefront.key]?[part].map { (storefront.key, $0) } }
    }

    /// Returns the served platforms that the section and the pin are for.
    private func servedPlatforms(of section: FeedSection, _ pin: Pin? = nil) -> [String] {
        let targets = [section.target, pin?.target].compactMap(\.self)
        return context.servedPlatforms.filter { platform in
            targets.allSatisfy { $0.platforms.isEmpty || $0.platforms.contains(platform) }
        }
    }

    private func ineligiblePins(of section: FeedSection, at pointer: JSONPointer) -> [ReviewFinding] {
        guard section.eligibility == .platform else { return [] }
        var found: [ReviewFinding] = []
        for (index, pin) in section.pins.enumerated() {
            guard let item = pin.item, let own = context.itemPlatforms[item], !storefronts(of: section, pin).isEmpty else { continue }
            let served = servedPlatforms(of: section, pin)
            let without = served.filter { !own.contains($0) }
            guard !without.isEmpty else { continue }
            // Clients that state no platform see every pin that is not only for some platforms.
            let isForPlatforms = [section.target, pin.target].contains { $0?.platforms.isEmpty == false }
            found.append(
                ReviewFinding(
                    severity: isForPlatforms && without.count == served.count ? .error : .warning, code: .ineligiblePin,
                    section: section.key,
                    pointer: pointer.appending("pins").appending(index).appending("item"),
                    message: "\(item) does not run on \(without.listed), so on these platforms the items after it move up",
                    help: "Pin an item that runs there, or target the pin at other platforms."))
        }
        return found
    }

    private func tooFew(_ section: FeedSection, at pointer: JSONPointer) -> [ReviewFinding] {
        let live = live(.shelf(section.key), of: section)
        let platforms = servedPlatforms(of: section)
        let isForPlatforms = section.target?.platforms.isEmpty == false
        // Of platforms that are not served, nothing is known.
        if isForPlatforms, platforms.isEmpty { return [] }
        func finding(_ severity: Finding.Severity, _ places: String, _ help: String) -> ReviewFinding {
            ReviewFinding(
                severity: severity, code: .belowMinItems, section: section.key,
                pointer: section.minItems == 1 ? pointer : pointer.appending("minItems"),
                message: "minItems is \(section.minItems), but the section has fewer items \(places), so pages there omit the section",
                help: "Lower minItems, widen the rule, \(help).")
        }
        // A section for some platforms is not for clients that state none.
        func isForNone(_ shown: ReviewContext.VisiblePart) -> Bool {
            !isForPlatforms && shown.tooFew != nil && platforms.allSatisfy { shown.tooFewOn[$0] != nil }
        }
        let few = live.filter { isForNone($0.shown) }
        func items(_ count: Int) -> String { count == 1 ? "1 item" : "\(count) items" }
        var found: [ReviewFinding] = []
        if !few.isEmpty {
            let reported = few.map { "\($0.key) (\(items($0.shown.tooFew ?? 0)))" }
            found.append(
                finding(
                    few.count == live.count ? .error : .warning, "in \(reported.listed)", "or target the section at other storefronts"))
        }
        let others = live.filter { !isForNone($0.shown) }
        let without = platforms.map { platform in
            (platform: platform, few: others.compactMap { storefront in storefront.shown.tooFewOn[platform].map { (storefront.key, $0) } })
        }
        let isEverywhere = isForPlatforms && without.allSatisfy { $0.few.count == live.count }
        // Most platforms have too few items in the same storefronts.
        var places = Dictionary(grouping: without.filter { !$0.few.isEmpty }) { $0.few.map(\.0) }.map { keys, platforms in
            let counts = platforms.flatMap { $0.few.map(\.1) }
            let (minimum, maximum) = (counts.min() ?? 0, counts.max() ?? 0)
            let found = minimum == maximum ? items(minimum) : "\(minimum) to \(maximum) items"
            return "on \(platforms.map(\.platform).listed) in \(keys.listed) (\(found))"
        }.sorted()
        // The sections above can leave fewer items to a client without a platform than to one with a platform.
        let unstated = isForPlatforms ? [] : others.compactMap { storefront in storefront.shown.tooFew.map { (storefront.key, $0) } }
        if !unstated.isEmpty {
            let reported = unstated.map { "\($0.0) (\(items($0.1)))" }
            places.append("for clients without a platform in \(reported.listed)")
        }
        if !places.isEmpty {
            found.append(
                finding(
                    isEverywhere ? .error : .warning, places.joined(separator: " and "),
                    "target the section at other storefronts or platforms, or, if a platform has no clients, set its field "
                        + "\"served\" to false with 'vitrine platform set'"))
        }
        return found
    }
}

// MARK: Periods

extension PublicationReviewer {
    /// Returns the findings about storefronts in which the section does not exist at any time of the publication.
    private func emptyPeriods(of section: FeedSection, at pointer: JSONPointer) -> [ReviewFinding] {
        guard let during = section.during else { return [] }
        var (empty, outside): ([String], [String]) = ([], [])
        for storefront in context.storefronts where section.target?.isFor(storefront.key) ?? true {
            guard let publication = periods[storefront.key], !publication.isEmpty else { continue }
            if during.span(by: clock(of: storefront)).isEmpty {
                empty.append(storefront.key)
            } else if period(of: section, in: storefront).isEmpty {
                outside.append(storefront.key)
            }
        }
        let reasons = [
            (empty, "its period there ends before it starts, or consists of times that the clocks skip"),
            (outside, "its period there is outside of the publication"),
        ]
        return reasons.filter { !$0.0.isEmpty }.map { storefronts, reason in
            ReviewFinding(
                severity: .warning, code: .emptyDuring, section: section.key, pointer: pointer.appending("during"),
                message: "the section is never shown in \(storefronts.listed), because \(reason)",
                help: "Change \"during\", publish for another period, or target the section at other storefronts.")
        }
    }
}

// MARK: Actions and other sections

extension PublicationReviewer {
    /// Returns the findings about actions that open nothing: a feed that does not exist is an error, and something that a
    /// storefront does not show at some time of the publication is a warning.
    private func deadActions(of section: FeedSection, at pointer: JSONPointer) -> [ReviewFinding] {
        section.pins.enumerated().compactMap { index, pin in
            guard let action = pin.action else { return nil }
            let place = pointer.appending("pins").appending(index).appending(pin.card == nil ? "show" : "card").appending("action")
                .appending(action.kind.rawValue)
            if let (message, help) = unknownFeed(of: action) {
                return ReviewFinding(
                    severity: .error, code: .unknownFeed, section: section.key, pointer: place, message: message, help: help)
            }
            guard let problem = deadEnd(of: action, in: section, storefronts(of: section, pin)) else { return nil }
            return ReviewFinding(
                severity: .warning, code: .deadAction, section: section.key, pointer: place, message: problem,
                help: "Change the action, or publish its destination for the whole period.")
        }
    }

    /// Returns the reason why no feed or story has the name in an action, with the remedy.
    private func unknownFeed(of action: Action) -> (message: String, help: String)? {
        let key: FeedKey
        switch action {
        case .feed(let feed), .story(let feed), .list(let feed, _): key = feed
        case .item, .search, .url: return nil
        }
        let openings = key == document.key ? FeedOpenings([], draftKind: document.kind) : context.openings[key]
        guard let openings else { return ("the feed \(key) does not exist", "Correct the name, or create the feed first.") }
        if case .story = action, !openings.isStory {
            return ("the feed \(key) is a page, not a story", #"Open it with {"feed": "\#(key)"}, or give it "kind": "story"."#)
        }
        return nil
    }

    /// Returns the reason why a tap opens nothing at some time, or nil if it always opens something.
    private func deadEnd(of action: Action, in section: FeedSection, _ storefronts: [Storefront]) -> String? {
        let part = section.during == nil ? "for a part of the publication" : "for a part of the period of the section"
        func period(in storefront: Storefront) -> Range<Timestamp> { self.period(of: section, in: storefront) }
        func closed(where isOpen: (Storefront) -> Bool) -> String? {
            let closed = storefronts.filter { !isOpen($0) }.map(\.key)
            return closed.isEmpty ? nil : closed.listed
        }
        switch action {
        case .item(let item):
            // An unknown item is an error of its own.
            guard let availability = context.items[item] else { return nil }
            return closed { availability.times(in: $0.key, within: period(in: $0)) == [period(in: $0)] }
                .map { "\(item) is not available in \($0) \(part)" }
        case .feed(let key), .story(let key):
            guard key != document.key, let openings = context.openings[key] else { return nil }
            return closed { openings.isOpen(in: $0.key, during: period(in: $0)) }.map { "the feed \(key) is not live in \($0) \(part)" }
        case .list(let feed, let list):
            var openings = context.openings[feed]
            if feed == document.key {
                openings = FeedOpenings([
                    .init(
                        layer: .takeover, during: .earliest..<(.latest), lists: FeedOpenings.lists(of: document),
                        periods: FeedOpenings.periods(of: document))
                ])
            }
            guard let openings else { return nil }
            return closed { openings.isOpen(list, in: $0.key, by: clock(of: $0), during: period(in: $0)) }
                .map { "the list \(feed)/\(list) is not shown in \($0) \(part)" }
        case .search, .url: return nil
        }
    }

    /// Returns a finding if the rule has conditions on other sections that the composer evaluates for all clients together.
    private func rulesForAnybody(of section: FeedSection, at pointer: JSONPointer) -> [ReviewFinding] {
        guard let rule = section.shelf.rule, !rule.sections.isEmpty else { return [] }
        let keys = rule.sections.map(\.text).sorted().listed
        return [
            ReviewFinding(
                severity: .warning, code: .inSectionForAnybody, section: section.key, pointer: pointer.appending("rule"),
                message:
                    "the condition inSection matches all items that any client can see in \(keys), not only the items that the same client sees",
                help: section.grouping == .none
                    ? "To leave out items that a client sees above, write the condition as {\"not\": {\"inSection\": …}} in the outermost \"all\"."
                    : "Remove \"group\" from the section, or remove the condition inSection.")
        ]
    }
}

extension PublicationReviewer {
    /// Returns a finding if a client can see more items in the excluded sections than the composer selects in addition.
    private func itemsAbove(_ section: FeedSection, at pointer: JSONPointer) -> [ReviewFinding] {
        let max = FeedSection.maxItemsAbove
        guard section.itemsAbove > max else { return [] }
        return [
            ReviewFinding(
                severity: .warning, code: .inSectionTooLarge, section: section.key, pointer: pointer.appending("rule"),
                message:
                    "the sections that the rule excludes can show \(section.itemsAbove) items, but the server publishes only \(max) additional items for this section; a client that sees more items above can get too few items here",
                help: "Exclude fewer sections, or reduce their sizes to \(max) items in total.")
        ]
    }
}

extension [String] {
    var listed: String { joined(separator: ", ") }
}

extension PublicationReviewer {
    func texts(of section: FeedSection, at pointer: JSONPointer) -> [ReviewFinding] {
        let texts = [
            (section.title, pointer.appending("title")), (section.subtitle, pointer.appending("subtitle")),
            (section.seeAll?.title, pointer.appending("seeAll").appending("title")),
        ]
        return texts.flatMap { text, pointer in text.map { missingTexts($0, of: section, at: pointer) } ?? [] }
            + section.pins.enumerated().flatMap { index, pin in
                self.texts(of: pin, section, at: pointer.appending("pins").appending(index))
            }
    }

    private func texts(of pin: Pin, _ section: FeedSection, at pointer: JSONPointer) -> [ReviewFinding] {
        let (member, texts) =
            switch pin.content {
            case .card(let card): ("card", card.texts)
            case .item(_, let appearance): ("show", appearance?.texts ?? [])
            }
        return texts.flatMap { key, text in
            missingTexts(text, of: section, pin, at: pointer.appending(member).appending(key))
        }
    }

    /// Returns a finding for the locales in which a text is shown in another locale.
    func missingTexts(
        _ text: LocalizedText, of section: FeedSection?, _ pin: Pin? = nil, at pointer: JSONPointer
    ) -> [ReviewFinding] {
        var missing: [String] = []
        let targets = [section?.target, pin?.target].compactMap(\.self)
        for locale in storefronts(of: section, pin).flatMap(\.locales) where targets.allSatisfy({ $0.isFor(locale) }) {
            guard !locale.fallbacks.contains(where: { text[$0] != nil }), !missing.contains(locale.text) else { continue }
            missing.append(locale.text)
        }
        guard !missing.isEmpty else { return [] }
        return [
            ReviewFinding(
                severity: .warning, code: .missingText, section: section?.key, pointer: pointer,
                message: "the text is missing in \(missing.listed), so clients see another language",
                help: "Add the missing \(missing.count == 1 ? "text" : "texts").")
        ]
    }
}

extension Target {
    /// Whether the target can include clients with the locale.
    fileprivate func isFor(_ locale: LocaleTag) -> Bool { locales.isEmpty || locales.contains(where: locale.has) }
}

extension LocaleTag {
    /// Whether a target with this locale includes clients in the receiver.
    fileprivate func has(_ locale: String) -> Bool { fallbacks.contains { $0.text == locale } }
}
