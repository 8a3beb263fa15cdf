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
            found += largeRules(of: section, at: pointer) + pins(of: section, at: pointer) + slowRules(of: section, at: pointer)
            found += tooFew(section, at: pointer)
            found += layouts(of: section, at: index, pointer) + texts(of: section, at: pointer)
        }
        return found.filter { $0.severity == .error } + found.filter { $0.severity == .warning }
    }

    /// Returns the storefronts that the section is for.
    func storefronts(of section: FeedSection?, _ pin: Pin? = nil) -> [Storefront] {
        let targets = [section?.target, pin?.target].compactMap(\.self)
        return context.storefronts.filter { storefront in
            periods[storefront.key] != nil && targets.allSatisfy { $0.isFor(storefront.key) }
        }
    }

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
                .error, .unknownExperiment, "the experiment \(key) does not exist",
                known.isEmpty ? "Create it with 'vitrine experiment set'." : "Create it, or use one of \(known.listed).")
        case .arm(let arm, let key):
            guard let arms = context.arms[key], !arms.contains(arm) else { return nil }
            return finding(
                .error, .unknownArm, "the experiment \(key) has no arm \(arm)", "The arms are \(arms.sorted().listed).")
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
            let times = storefronts(of: section, pin).map { storefront in
                let period = period(in: storefront)
                return (key: storefront.key, shown: Shown(times: availability.times(in: storefront.key, within: period), period: period))
            }
            func finding(_ code: ReviewFinding.Code, _ message: String, _ help: String) -> ReviewFinding {
                ReviewFinding(
                    severity: .warning, code: code, section: section.key,
                    pointer: pointer.appending("pins").appending(index).appending("item"), message: message, help: help)
            }
            var found: [ReviewFinding] = []
            let without = times.filter(\.shown.times.isEmpty).map(\.key)
            if !without.isEmpty {
                found.append(
                    finding(
                        .unavailablePin, "\(item) is not available in \(without.listed), so the items after it move up",
                        "Pin an available item, or target the section at other storefronts."))
            }
            let passing = times.filter { !$0.shown.times.isEmpty && $0.shown.times != [$0.shown.period] }
            // Most items become available or unavailable everywhere at the same time.
            for (shown, places) in Dictionary(grouping: passing, by: \.shown).sorted(by: { $0.value[0].key < $1.value[0].key }) {
                let times = shown.times.map { reported($0, within: shown.period) }
                found.append(
                    finding(
                        .partlyAvailablePin, "\(item) is available in \(places.map(\.key).listed) only \(times.listed)",
                        "The items after it move up during the rest of the period. Publish for another period, or pin another item."))
            }
            return found
        }
    }

    /// The times at which a pinned item is available during a period.
    private struct Shown: Hashable {
        let times: [Range<Timestamp>]
        let period: Range<Timestamp>
    }

    private func period(in storefront: Storefront) -> Range<Timestamp> { periods[storefront.key] ?? .latest..<(.latest) }

    private func reported(_ time: Range<Timestamp>, within period: Range<Timestamp>) -> String {
        let start = time.lowerBound == period.lowerBound ? nil : "from \(time.lowerBound)"
        let end = time.upperBound == period.upperBound ? nil : "until \(time.upperBound)"
        return [start, end].compactMap(\.self).joined(separator: " ")
    }

    /// Returns the findings about rules that take too long, for the shelf and for the list.
    private func slowRules(of section: FeedSection, at pointer: JSONPointer) -> [ReviewFinding] {
        section.parts.flatMap { part, _ -> [ReviewFinding] in
            var live = live(part, of: section)
            var name = "rule of \(section.key)"
            var place = pointer
            if case .list = part {
                name = "rule of the list of \(section.key)"
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

    private func tooFew(_ section: FeedSection, at pointer: JSONPointer) -> [ReviewFinding] {
        let live = live(.shelf(section.key), of: section)
        let few = live.filter { $0.shown.tooFew != nil }
        guard !few.isEmpty else { return [] }
        let reported = few.map { "\($0.key) (\($0.shown.tooFew ?? 0))" }
        return [
            ReviewFinding(
                severity: few.count == live.count ? .error : .warning, code: .belowMinItems, section: section.key,
                pointer: section.minItems == 1 ? pointer : pointer.appending("minItems"),
                message:
                    "minItems is \(section.minItems), but the section has fewer items in \(reported.listed), so pages there omit the section",
                help: "Lower minItems, widen the rule, or target the section at other storefronts.")
        ]
    }
}

// MARK: Actions and other sections

extension PublicationReviewer {
    /// Returns the findings about actions that open nothing in a storefront at some time of the publication.
    private func deadActions(of section: FeedSection, at pointer: JSONPointer) -> [ReviewFinding] {
        section.pins.enumerated().compactMap { index, pin in
            guard let action = pin.action, let problem = deadEnd(of: action, storefronts(of: section, pin)) else { return nil }
            let place = pointer.appending("pins").appending(index).appending(pin.card == nil ? "show" : "card").appending("action")
            return ReviewFinding(
                severity: .warning, code: .deadAction, section: section.key, pointer: place.appending(action.kind.rawValue),
                message: problem,
                help: "Open something else, or publish it for the whole period.")
        }
    }

    /// Returns the reason why a tap opens nothing, or nil if it always opens something.
    private func deadEnd(of action: Action, _ storefronts: [Storefront]) -> String? {
        func closed(where isOpen: (Storefront) -> Bool) -> String? {
            let closed = storefronts.filter { !isOpen($0) }.map(\.key)
            return closed.isEmpty ? nil : closed.listed
        }
        switch action {
        case .item(let item):
            // An unknown item is an error of its own.
            guard let availability = context.items[item] else { return nil }
            return closed { availability.times(in: $0.key, within: period(in: $0)) == [period(in: $0)] }
                .map { "\(item) is not available in \($0) during the whole publication" }
        case .feed(let key), .story(let key):
            if key == document.key { return nil }
            guard let openings = context.openings[key] else { return "the feed \(key) does not exist" }
            return closed { openings.isOpen(in: $0.key, during: period(in: $0)) }.map { _ in
                "the feed \(key) is not live during the whole publication"
            }
        case .list(let feed, let list):
            var openings = context.openings[feed]
            if feed == document.key {
                openings = FeedOpenings([.init(layer: .takeover, during: .earliest..<(.latest), lists: FeedOpenings.lists(of: document))])
            }
            guard let openings else { return "the feed \(feed) does not exist" }
            return closed { openings.isOpen(list, in: $0.key, during: period(in: $0)) }
                .map { "the list \(feed)/\(list) is not shown in \($0) during the whole publication" }
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
                message: "the condition on \(keys) applies to all items that some client can see there, not to those that a client sees",
                help: section.grouping == .none
                    ? "To leave out items that a client sees above, write the condition as {\"not\": {\"inSection\": …}} in the outermost \"all\"."
                    : "Remove the group, or the condition.")
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
