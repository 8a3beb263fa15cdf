package import Artwork
package import Items
package import JSON
package import Layout
package import Resolve
internal import Values

package struct PageRenderer {
    private let snapshot: FeedSnapshot
    private let layouts: ServedLayouts
    private let context: PageContext
    private let placeholder: (Artwork) -> Placeholder
    /// Returns the link to the list of a section, or to its part after a position.
    private let link: (_ section: FeedSnapshot.Section, _ last: OrderKey?) -> String
    /// The token of the impression, or nil if the page is a preview.
    private let impression: String?

    package init(
        _ snapshot: FeedSnapshot, _ layouts: ServedLayouts, _ context: PageContext,
        placeholder: @escaping (Artwork) -> Placeholder = { $0.placeholder }, impression: String? = nil,
        link: @escaping (_ section: FeedSnapshot.Section, _ last: OrderKey?) -> String
    ) {
        self.snapshot = snapshot
        self.layouts = layouts
        self.context = context
        self.placeholder = placeholder
        self.link = link
        self.impression = impression
    }

    private struct VisibleSection {
        let section: FeedSnapshot.Section
        let id: String
        /// The conditions that the client evaluates.
        let target: Target?
        let title: String?
        /// The way in which the client fills the shelf, or nil if the placements are the shelf.
        var fill: Resolve.Fill?
        let items: [VisiblePlacement]
        /// The rest of the list, if clients can load more in place.
        var rest: Continuation?
        /// The headings of the whole list. Only the first part of a grouped section has them.
        var index: [IndexHeading] = []
    }

    /// A placement that the client can see, as a pin or as a candidate.
    private struct VisiblePlacement {
        let resolved: Placement
        let published: PublishedPlacement
        /// The heading, or nil if the section is not grouped.
        let initial: String?
    }

    /// The part of a list after a position, or the whole list if the position is nil.
    private struct Continuation {
        let after: OrderKey?
    }

    /// A heading of a grouped list, with the number of its items and the key after which they begin.
    private struct IndexHeading {
        let initial: String
        var items: Int
        let after: OrderKey?
    }

    package func page() throws(JSONError) -> [UInt8] {
        var used: Set<LayoutID> = []
        let edition = resolve(snapshot.edition(in: context.locales.requested, on: context.platform), context.facts)
        let shelves = self.shelves(of: edition)
        let arrangements = shelves.map { resolved($0.section.published.arrangement, into: &used) }
        let seeAlls = shelves.map { shelf in shelf.section.published.seeAll.map { resolved($0.arrangement, into: &used) } }
        let extents = self.extents(shelves, arrangements)
        var json = JSONWriter(capacity: 32_768)
        json.object { json in
            json.member("schema", "vitrine.page/1")
            json.member("feed", snapshot.feed.key)
            json.member("kind", snapshot.feed.kind)
            json.member("storefront", snapshot.storefront)
            json.member("locale", context.locales.requested.text)
            json.member("platform", context.platform)
            json.member("title", context.locales.pick(snapshot.feed.title.texts))
            json.member("revision", snapshot.feed.revision)
            json.member("version", snapshot.version)
            json.member("validUntil", snapshot.validUntil?.description)
            json.member("impression", impression)
            write(edition.experiments, edition.holdout, to: &json)
            json.member("theme", snapshot.feed.theme, unless: FeedTheme())
            json.member("configuration", snapshot.feed.configuration, unless: PageConfiguration())
            json.member("layouts") { json in
                for id in used.sorted() { json.member(id.text, rendered: layouts[id]?.text) }
            }
            json.member("sections", each: shelves.indices) { json, index in
                write(shelves[index], arrangements[index], seeAll: seeAlls[index], extent: extents?[index], to: &json)
            }
            writeItems(items(of: shelves), to: &json)
        }
        return try json.finish()
    }

    /// Writes the experiments with the arms of the client, or with what it needs to compute them.
    private func write(_ experiments: [String: Edition.Assignment], _ holdout: Holdout?, to json: inout JSONWriter) {
        var isComputed = false
        for case .experiment in experiments.values { isComputed = true }
        if isComputed { json.member("holdout", holdout) }
        json.member("experiments", experiments, unless: [:])
    }

    /// Returns the sections that the clients of the page see, if their targets hold. A grouped section becomes one for each
    /// heading.
    private func shelves(of edition: Edition) -> [VisibleSection] {
        edition.sections.flatMap { shelf -> [VisibleSection] in
            guard let section = snapshot.sections.first(where: { $0.published.id == shelf.id }) else { return [] }
            let isGrouped = section.published.grouping == .initial
            var items: [VisiblePlacement] = []
            items.reserveCapacity(shelf.placements.count)
            for placement in shelf.placements {
                guard let published = section.placements[placement.id] else { continue }
                let initial = isGrouped ? initial(of: published) : nil
                items.append(VisiblePlacement(resolved: placement, published: published, initial: initial))
            }
            let rest = rest(of: section, below: items, isFilled: shelf.fill == nil)
            if isGrouped { return grouped(section, shelf.target, items, rest) }
            return [
                VisibleSection(
                    section: section, id: shelf.id, target: shelf.target,
                    title: section.published.title.flatMap { context.locales.pick($0.texts) }, fill: shelf.fill, items: items,
                    rest: rest)
            ]
        }
    }

    /// Returns the heading of a placement, if its section is grouped.
    private func initial(of placement: PublishedPlacement) -> String? {
        let locale = context.locales.requested
        return placement.position(in: locale)?.initial ?? placement.initials[locale]
    }

    private func items(of shelves: [VisibleSection]) -> [UUID] {
        var items: [UUID] = []
        for shelf in shelves {
            for placement in shelf.items { if let item = placement.published.item { items.append(item) } }
        }
        return items
    }

    /// Returns the rest of a list that continues on the page. It skips the first entries, as far as every client sees their
    /// items on the shelf.
    private func rest(of section: FeedSnapshot.Section, below shelf: [VisiblePlacement], isFilled: Bool) -> Continuation? {
        guard section.published.continues else { return nil }
        var shown: Set<UUID> = []
        for placement in shelf {
            // If the client fills the shelf, only its pins are certain, except those with a target.
            guard isFilled || placement.resolved.pin.map({ $0.target == nil }) ?? false else { continue }
            if let item = placement.published.item { shown.insert(item) }
        }
        let entries = list(of: section)
        let skipped = entries.prefix { shown.contains($0.item) }
        return skipped.count < entries.count ? Continuation(after: skipped.last?.position.key) : nil
    }

    private func grouped(
        _ section: FeedSnapshot.Section, _ target: Target?, _ shelf: [VisiblePlacement], _ rest: Continuation?
    ) -> [VisibleSection] {
        var groups: [(initial: String, items: [VisiblePlacement])] = []
        for placement in shelf {
            let initial = placement.initial ?? IndexAlphabet.rest
            // A pin can be separated from the others of its heading.
            if let index = groups.firstIndex(where: { $0.initial == initial }) {
                groups[index].items.append(placement)
            } else {
                groups.append((initial, [placement]))
            }
        }
        var parts = groups.map { group in
            VisibleSection(
                section: section, id: "\(section.published.id)/\(group.initial)", target: target, title: group.initial, items: group.items)
        }
        if !parts.isEmpty { parts[0].index = index(of: list(of: section)) }
        // A pin can be the last item of a heading that is not the last one.
        let last = shelf.last?.initial ?? IndexAlphabet.rest
        if let index = groups.firstIndex(where: { $0.initial == last }) { parts[index].rest = rest }
        return parts
    }

    private func list(of section: FeedSnapshot.Section) -> ArraySlice<FeedSnapshot.ListEntry> {
        snapshot.list(of: section, in: context.locales.requested, on: context.platform)
    }

    /// Returns the headings of the whole list in its order. A heading begins at its longest run, because a pin can be
    /// separated from the others.
    private func index(of list: ArraySlice<FeedSnapshot.ListEntry>) -> [IndexHeading] {
        var runs: [IndexHeading] = []
        var before: OrderKey?
        for placement in list {
            let initial = placement.position.initial ?? IndexAlphabet.rest
            if runs.last?.initial == initial {
                runs[runs.count - 1].items += 1
            } else {
                runs.append(IndexHeading(initial: initial, items: 1, after: before))
            }
            before = placement.position.key
        }
        let longest = Dictionary(runs.enumerated().map { ($1.initial, (offset: $0, run: $1)) }) { $0.run.items >= $1.run.items ? $0 : $1 }
        return longest.values.sorted { $0.offset < $1.offset }.map { _, run in
            var heading = run
            heading.items = runs.lazy.filter { $0.initial == run.initial }.map(\.items).reduce(0, +)
            return heading
        }
    }

    private func write(
        _ shelf: VisibleSection, _ arrangement: Arrangement, seeAll: Arrangement?, extent: Double?, to json: inout JSONWriter
    ) {
        let section = shelf.section.published
        json.object { json in
            json.member("id", shelf.id)
            json.member("version", shelf.section.version)
            json.member("target", shelf.target)
            json.member("title", shelf.title)
            json.member("subtitle", section.subtitle.flatMap { context.locales.pick($0.texts) })
            if section.grouping == .initial {
                // The heading has replaced the title.
                json.member("group") { json in
                    json.member("id", section.id)
                    json.member("title", section.title.flatMap { context.locales.pick($0.texts) })
                    if !shelf.index.isEmpty { writeIndex(shelf.index, of: shelf.section, to: &json) }
                }
            }
            arrangement.encodeMembers(to: &json)
            section.cells.encodeMembers(to: &json)
            json.member("fill", shelf.fill)
            json.member("items", each: shelf.items) { json, placement in write(placement, isPinned: shelf.fill != nil, to: &json) }
            json.member("next", shelf.rest.map { link(shelf.section, $0.after) })
            json.member("extent", extent)
            json.member("skeleton", section.skeleton)
            json.member("tracking", section.tracking)
            // The list is missing as long as its rule has never succeeded.
            if let described = section.seeAll, let seeAll, shelf.section.list != nil {
                json.member("seeAll") { json in
                    json.member("title", context.locales.pick(described.title.texts))
                    seeAll.encodeMembers(to: &json)
                    described.cells?.encodeMembers(to: &json)
                    json.member("href", link(shelf.section, nil))
                }
            }
        }
    }

    private func writeIndex(_ index: [IndexHeading], of section: FeedSnapshot.Section, to json: inout JSONWriter) {
        json.member("index", each: index) { json, heading in
            json.object { json in
                json.member("initial", heading.initial)
                json.member("items", heading.items)
                json.member("href", link(section, heading.after))
            }
        }
    }

    /// Writes a placement. Only a client that fills the shelf needs the slots of the pins.
    private func write(_ placement: VisiblePlacement, isPinned: Bool, to json: inout JSONWriter) {
        json.object { json in
            json.member("placement", placement.resolved.id)
            switch placement.published.content {
            case .item(let item, _) where placement.resolved.pin == nil:
                json.key("item")
                json.string(item)
            case let content: pins.write(content, to: &json)
            }
            if isPinned {
                json.member("pin", placement.resolved.pin?.slot)
                json.member("target", placement.resolved.pin?.target)
            }
            json.member("badges", placement.published.badges, unless: [])
        }
    }

    private var pins: PinRenderer { PinRenderer(context.storefront, context.locales, platform: context.platform) }

    private func writeEntries(_ entries: some Sequence<FeedSnapshot.ListEntry>, withInitials: Bool, to json: inout JSONWriter) {
        json.member("items", each: entries) { json, entry in
            json.object { json in
                json.member("placement", entry.id)
                json.key("item")
                json.string(entry.item)
                if withInitials { json.member("initial", entry.position.initial ?? IndexAlphabet.rest) }
                json.member("badges", entry.badges, unless: [])
            }
        }
    }

    private func writeItems(_ ids: some Sequence<UUID>, to json: inout JSONWriter) {
        var written: Set<UUID> = []
        json.member("items") { json in
            for id in ids where written.insert(id).inserted {
                guard let item = snapshot.items[id] else { continue }
                json.key(id)
                json.object { json in
                    RenderedItem(item, in: context.storefront, context.locales, placeholder: placeholder).encodeMembers(to: &json)
                }
            }
        }
    }

    /// Returns a part of a section's list after a key, in the form of a page's section.
    package func list(
        of section: FeedSnapshot.Section, after key: OrderKey?, limit: Int
    ) throws(JSONError) -> (document: [UInt8], next: String?) {
        let list = list(of: section)
        let rest = list.drop { placement in key.map { placement.position.key <= $0 } ?? false }
        let part = rest.prefix(limit)
        let next = part.count < rest.count ? part.last.map { link(section, $0.position.key) } : nil
        var json = JSONWriter(capacity: 16_384)
        json.object { json in
            json.member("schema", "vitrine.page/1")
            json.member("feed", snapshot.feed.key)
            json.member("storefront", snapshot.storefront)
            json.member("locale", context.locales.requested.text)
            json.member("platform", context.platform)
            json.member("revision", snapshot.feed.revision)
            json.member("version", snapshot.version)
            json.member("section") { json in
                json.member("id", section.published.id)
                json.member("version", section.version)
                let isGrouped = section.list?.grouping == .initial
                if isGrouped, key == nil { writeIndex(index(of: list), of: section, to: &json) }
                writeEntries(part, withInitials: isGrouped, to: &json)
                json.member("next", next)
            }
            writeItems(part.lazy.map(\.item), to: &json)
        }
        return (try json.finish(), next)
    }

    // MARK: Layouts

    private func resolved(_ arrangement: Arrangement, into used: inout Set<LayoutID>) -> Arrangement {
        var result = Arrangement(layout: resolved(arrangement.layout, into: &used))
        result.variants = arrangement.variants.map { .init(when: $0.condition, resolved($0.layout, into: &used), $0.cells) }
        result.alternates = arrangement.alternates.map { .init($0.name, resolved($0.layout, into: &used), $0.cells) }
        result.active = arrangement.active
        return result
    }

    /// Returns the layout that the client receives in place of another one. Adds it to the layouts of the page, with all
    /// of its fallbacks.
    private func resolved(_ id: LayoutID, into used: inout Set<LayoutID>) -> LayoutID {
        var chosen = id
        if let capabilities = context.capabilities, let found = layouts.table.resolve(id, for: capabilities) { chosen = found.id }
        var next: LayoutID? = chosen
        while let current = next, !used.contains(current), let layout = layouts[current] {
            used.insert(current)
            next = layout.fallback
        }
        return chosen
    }

    /// Returns the length of each section on the client's screen, as estimated by the solver. Returns nil if the screen
    /// is unknown or a section has no suitable layout.
    private func extents(_ shelves: [VisibleSection], _ arrangements: [Arrangement]) -> [Double]? {
        guard let environment = context.screen?.environment else { return nil }
        let contents = zip(shelves, arrangements).compactMap { shelf, arrangement -> SectionContent? in
            guard case .known(let layout)? = layouts.table[arrangement.layout(in: environment)] else { return nil }
            // A client that does not fill the shelf shows the first placements.
            let items = shelf.items.prefix(shelf.fill?.size ?? shelf.items.count)
            return SectionContent(
                layout: layout.section, itemCount: items.count, newItems: items.map { $0.published.badges.contains("new") })
        }
        guard contents.count == shelves.count else { return nil }
        do throws(LayoutError) {
            return try SolvedPage(solving: contents, configuration: snapshot.feed.configuration, in: environment).sections.map(\.extent)
        } catch {
            return nil
        }
    }
}

package struct PageContext: Sendable {
    package let storefront: Storefront
    package let locales: LocaleFallback
    /// All facts about the client, each stated or not.
    package let facts: ClientFacts
    /// The capabilities of the client. If they are nil, it receives all layouts with their fallbacks.
    package let capabilities: Set<Capability>?
    /// The screen of the client, or nil if the client has not sent its size.
    package let screen: Screen?
    /// The platform that the client states. Links have it too.
    package var platform: String? { if case .said(let platform) = facts.platform { platform } else { nil } }

    /// Creates a context from the facts that the client states, to which the storefront and the locale are added.
    package init(
        _ storefront: Storefront, _ locales: LocaleFallback, _ stated: ClientFacts = .nothingSaid, capabilities: Set<Capability>? = nil,
        screen: Screen? = nil
    ) {
        var facts = stated
        facts.storefront = .said(storefront.key)
        facts.locale = .said(locales.chain.map(\.text))
        self.storefront = storefront
        self.locales = locales
        self.facts = facts
        self.capabilities = capabilities
        self.screen = screen
    }
}
