package import Items
package import JSON
internal import Resolve

/// An external resource that a document refers to and that can be missing.
package struct ExternalReference: Sendable, Equatable {
    package enum Subject: Sendable, Hashable {
        case item(ItemReference)
        case category(String)
        case cuisine(String)
        case developer(String)
        case tag(String)
        case platform(String)
        /// A platform of a target, for whose clients pages must be made.
        case servedPlatform(String)
        case chart(String)
        case storefront(String)
        case locale(String)
        /// A feed that an action opens.
        case feed(FeedKey)
        /// A section whose list an action opens.
        case list(feed: FeedKey, section: SectionKey)
        case experiment(String)
        case arm(String, of: String)
        /// The scheme of a URL that an action opens.
        case scheme(String)
    }

    package let subject: Subject
    package let section: SectionKey
    /// The location in the canonical form of the document.
    package let pointer: JSONPointer
}

extension FeedDocument {
    /// All references in the order of the sections, including repeated ones.
    package var references: [ExternalReference] {
        sections.enumerated().flatMap { index, section in section.references(at: Self.pointer(toSection: index)) }
    }

    /// The items that the document names.
    package var itemReferences: Set<ItemReference> {
        references.reduce(into: []) { items, reference in
            if case .item(let item) = reference.subject { items.insert(item) }
        }
    }

    static func pointer(toSection index: Int) -> JSONPointer { JSONPointer.root.appending("sections").appending(index) }
}

extension FeedSection {
    fileprivate func references(at pointer: JSONPointer) -> [ExternalReference] {
        var found: [(ExternalReference.Subject, JSONPointer)] = []
        for (index, pin) in pins.enumerated() {
            found += pin.references(at: pointer.appending("pins").appending(index))
        }
        found += exclusions.references(at: pointer.appending("exclude")) { .item($0) }
        found += rule?.references(at: pointer.appending("rule")) ?? []
        if case .chart(let name) = sort { found.append((.chart(name), pointer.appending("sort").appending("chart"))) }
        if let seeAll {
            let pointer = pointer.appending("seeAll")
            found += seeAll.rule?.references(at: pointer.appending("rule")) ?? []
            if case .chart(let name)? = seeAll.sort { found.append((.chart(name), pointer.appending("sort").appending("chart"))) }
            found += seeAll.exclusions.references(at: pointer.appending("exclude")) { .item($0) }
        }
        for (index, badge) in badges.enumerated() {
            let pointer = pointer.appending("badges").appending(index)
            switch badge.bearers {
            case .items(let items): found += items.references(at: pointer.appending("on")) { .item($0) }
            case .rule(let rule): found += rule.references(at: pointer.appending("when"))
            }
        }
        found += target?.references(at: pointer.appending("target")) ?? []
        return found.map { ExternalReference(subject: $0, section: key, pointer: $1) }
    }
}

extension Pin {
    fileprivate func references(at pointer: JSONPointer) -> [(ExternalReference.Subject, JSONPointer)] {
        var found: [(ExternalReference.Subject, JSONPointer)] = []
        if let item { found.append((.item(item), pointer.appending("item"))) }
        if let action {
            let pointer = pointer.appending(card == nil ? "show" : "card").appending("action").appending(action.kind.rawValue)
            switch action {
            case .item(let item): found.append((.item(item), pointer))
            case .feed(let key), .story(let key): found.append((.feed(key), pointer))
            case .list(let feed, let section): found.append((.list(feed: feed, section: section), pointer))
            case .search: break
            case .url: if let scheme = action.scheme { found.append((.scheme(scheme), pointer)) }
            }
        }
        return found + (target?.references(at: pointer.appending("target")) ?? [])
    }
}

extension Target {
    fileprivate func references(at pointer: JSONPointer) -> [(ExternalReference.Subject, JSONPointer)] {
        storefronts.references(at: pointer.appending("storefronts")) { .storefront($0) }
            + locales.references(at: pointer.appending("locales")) { .locale($0) }
            + platforms.references(at: pointer.appending("platforms")) { .servedPlatform($0) }
            + experiments.sorted { $0.key < $1.key }.flatMap { key, arms in
                let pointer = pointer.appending("experiment").appending(key)
                return [(.experiment(key), pointer)] + arms.references(at: pointer) { .arm($0, of: key) }
            }
    }
}

extension Rule {
    fileprivate func references(at pointer: JSONPointer) -> [(ExternalReference.Subject, JSONPointer)] {
        func within(_ rules: [Rule], _ key: Key) -> [(ExternalReference.Subject, JSONPointer)] {
            rules.enumerated().flatMap { $1.references(at: pointer.appending(key.rawValue).appending($0)) }
        }
        switch self {
        case .all(let rules): return within(rules, .all)
        case .any(let rules): return within(rules, .any)
        case .not(let rule): return rule.references(at: pointer.appending(Key.not.rawValue))
        case .category(let keys): return keys.mentionsOfOneOrMore(at: pointer.appending(Key.category.rawValue)) { .category($0) }
        case .cuisine(let keys): return keys.mentionsOfOneOrMore(at: pointer.appending(Key.cuisine.rawValue)) { .cuisine($0) }
        case .developer(let names): return names.mentionsOfOneOrMore(at: pointer.appending(Key.developer.rawValue)) { .developer($0) }
        case .tag(let slugs): return slugs.mentionsOfOneOrMore(at: pointer.appending(Key.tag.rawValue)) { .tag($0) }
        case .platform(let keys): return keys.mentionsOfOneOrMore(at: pointer.appending(Key.platform.rawValue)) { .platform($0) }
        case .runsOn(let versions):
            let pointer = pointer.appending(Key.runsOn.rawValue)
            return versions.enumerated().map { index, version in
                (.platform(version.platform), (versions.count == 1 ? pointer : pointer.appending(index)).appending(version.platform))
            }
        default: return []
        }
    }
}

extension [String] {
    /// Returns the references of a list. A single value is written without a list.
    fileprivate func mentionsOfOneOrMore(
        at pointer: JSONPointer, _ subject: (String) -> ExternalReference.Subject
    ) -> [(ExternalReference.Subject, JSONPointer)] {
        if let only = first, count == 1 { [(subject(only), pointer)] } else { references(at: pointer, subject) }
    }
}

extension Array {
    fileprivate func references(at pointer: JSONPointer, _ subject: (Element) -> ExternalReference.Subject) -> [(
        ExternalReference.Subject, JSONPointer
    )] {
        enumerated().map { (subject($1), pointer.appending($0)) }
    }
}
