package import JSON
package import Layout
package import Values

/// What a publication would change, before it is made.
package struct PublicationPlan: Sendable {
    /// What clients see differently in storefronts where they see the same.
    package struct View: Sendable {
        package internal(set) var storefronts: [String]
        /// For programs: a plan that was read from an answer has the lines alone.
        package let sections: [ClientPageChange]
        package let lines: [DiffLine]
    }

    /// A section that is laid out differently on the screen that the plan is made for.
    package struct ChangedLayout: Sendable {
        package struct Side: Sendable {
            package let layout: LayoutDescriptor
            package let itemCount: Int
        }

        package let section: String
        package let title: String?
        package let before: Side
        package let after: Side
    }

    package let feed: FeedKey
    /// Since when clients see nothing of the feed.
    package let archivedAt: Timestamp?
    /// The revision that is shown at the beginning, on the same layer or below it; nil for nothing.
    package let previous: Int?
    package let revision: Int
    package let layer: Publication.Layer
    /// Nil for now.
    package let from: Timestamp?
    package let until: Timestamp?
    /// What is shown instead at the beginning.
    package let takeover: Publication?
    /// What has that time already: with it the publication is refused.
    package let conflictingPublications: [Publication]
    /// For programs, as in `View`; nil also where nothing was shown before.
    package let difference: FeedDiff?
    /// Nil where nothing was shown before.
    package let lines: [DiffLine]?
    /// Sections, before and after, that are not on the pages which are compared, as their client says nothing of itself.
    package let forSomeClients: [String]
    /// Sections, before and after, that may be on pages in other languages than those which are compared.
    package let forSomeLanguages: [String]
    package private(set) var views: [View] = []
    package private(set) var layouts: [ChangedLayout] = []
    /// Storefronts that there was no time for.
    package var notCompared: [String] = []
    package var findings: [ReviewFinding] = []

    package var errors: [ReviewFinding] { findings.filter { $0.severity == .error } }

    /// A plan that has compared nothing yet. `start` is the moment that `from` stands for, also where it is nil.
    package init(
        of revision: (number: Int, document: FeedDocument), on layer: Publication.Layer, from: Timestamp?, until: Timestamp?,
        after previous: (number: Int, document: FeedDocument)?, in schedule: Schedule, start: Timestamp, archivedAt: Timestamp?
    ) {
        feed = revision.document.key
        self.archivedAt = archivedAt
        self.previous = previous?.number
        self.revision = revision.number
        (self.layer, self.from, self.until) = (layer, from, until)
        takeover = layer == .base ? schedule.publication(on: .takeover, at: start) : nil
        conflictingPublications =
            switch layer {
            case .takeover: schedule.publications(on: .takeover, from: start, until: until)
            case .base: schedule.publications.filter { $0.layer == .base && $0.from == from }
            }
        difference = previous.map { FeedDiff(from: $0.document, to: revision.document) }
        lines = difference?.lines
        let sections = revision.document.sections + (previous?.document.sections ?? [])
        func keys(_ isSo: (Target) -> Bool) -> [String] {
            let keys = sections.filter { $0.target.map(isSo) ?? false }.map(\.key.text)
            return keys.enumerated().filter { !keys[..<$0.offset].contains($0.element) }.map(\.element)
        }
        forSomeClients = keys { $0.asksClients }
        forSomeLanguages = keys { !$0.locales.isEmpty }
    }

    /// Adds what clients of a storefront see, together with storefronts that see the same; a changed layout is listed once, as it is on a screen.
    package mutating func compare(_ storefront: String, from before: ClientPage?, to after: ClientPage, on screen: LayoutEnvironment) {
        let changes = PageComparison(from: before, to: after)
        if let place = comparisons.firstIndex(where: { $0.isAlike(changes) }) { return views[place].storefronts.append(storefront) }
        comparisons.append(changes)
        views.append(View(storefronts: [storefront], sections: changes.sections, lines: changes.lines))
        for change in changes.sections where change.hasOtherLayout && !layouts.contains(where: { $0.section == change.id }) {
            guard let earlier = before?.sections.first(where: { $0.id == change.id }),
                let later = after.sections.first(where: { $0.id == change.id }),
                let previous = before?.layout(of: earlier, in: screen), let layout = after.layout(of: later, in: screen), previous != layout
            else { continue }
            layouts.append(
                ChangedLayout(
                    section: change.id, title: change.title, before: .init(layout: previous, itemCount: earlier.items.count),
                    after: .init(layout: layout, itemCount: later.items.count)))
        }
    }

    /// Of the first storefront of each view.
    private var comparisons: [PageComparison] = []
}

// MARK: JSON

extension PublicationPlan: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", feed)
        json.member("archivedAt", archivedAt?.description)
        json.member("fromRevision", previous)
        json.member("toRevision", revision)
        json.member("layer", layer.rawValue)
        json.member("from", from?.description)
        json.member("until", until?.description)
        json.member("activeTakeover", takeover)
        json.member("conflictingPublications", conflictingPublications, unless: [])
        json.member("diff", difference)
        json.member("diffLines", lines)
        json.member("targetedSections", forSomeClients, unless: [])
        json.member("localizedSections", forSomeLanguages, unless: [])
        json.member("comparisons", views)
        json.member("skipped", notCompared, unless: [])
        json.member("layouts", layouts)
        json.member("findings", findings)
    }
}

extension PublicationPlan: JSONObjectDecodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        feed = try object.value("feed")
        archivedAt = object.essential("archivedAt")
        previous = object.essential("fromRevision")
        revision = try object.value("toRevision")
        layer = try object.value("layer")
        from = object.essential("from")
        until = object.essential("until")
        takeover = object.essential("activeTakeover")
        conflictingPublications = object.essential("conflictingPublications", default: [])
        _ = object.member("diff")
        difference = nil
        lines = object.essential("diffLines")
        forSomeClients = object.essential("targetedSections", default: [])
        forSomeLanguages = object.essential("localizedSections", default: [])
        views = try object.value("comparisons")
        notCompared = object.essential("skipped", default: [])
        layouts = object.essential("layouts", default: [])
        findings = try object.value("findings")
    }
}

extension PublicationPlan.View: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("storefronts", storefronts)
        json.member("sections", sections)
        json.member("diffLines", lines)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        storefronts = try object.value("storefronts")
        _ = object.member("sections")
        sections = []
        lines = try object.value("diffLines")
    }
}

extension PublicationPlan.ChangedLayout: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("section", section)
        json.member("title", title)
        json.member("before", before)
        json.member("after", after)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        section = try object.value("section")
        title = object.essential("title")
        before = try object.value("before")
        after = try object.value("after")
    }
}

extension PublicationPlan.ChangedLayout.Side: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("layout", layout)
        json.member("itemCount", itemCount)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        layout = try object.value("layout")
        itemCount = try object.value("itemCount")
    }
}
