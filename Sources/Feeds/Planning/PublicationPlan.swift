package import JSON
package import Layout
internal import Resolve
package import Values

/// The preview of a publication's changes.
package struct PublicationPlan: Sendable {
    /// The changes that clients see, for storefronts with the same changes.
    package struct View: Sendable {
        package internal(set) var storefronts: [String]
        /// The sections, for programs. A plan that was read from a response has only the lines.
        package let sections: [ClientPageChange]
        package let lines: [DiffLine]
    }

    /// A section whose layout differs on the screen that the plan is for.
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
    /// The time since which the feed is archived.
    package let archivedAt: Timestamp?
    /// The revision that is visible at the start, on the same layer or below it. It is nil if no revision is visible.
    package let previous: Int?
    package let revision: Int
    package let layer: Publication.Layer
    /// The start, or nil if it is now.
    package let from: Timestamp?
    package let until: Timestamp?
    /// The takeover that is visible at the start instead.
    package let takeover: Publication?
    /// The publications that already have the time. With any of them, the publication is rejected.
    package let conflictingPublications: [Publication]
    /// The difference of the documents, for programs. It is nil if the plan was read from a response, or no revision
    /// was visible before.
    package let difference: FeedDiff?
    /// The lines of the difference, or nil if no revision was visible before.
    package let lines: [DiffLine]?
    /// The sections, before and after, that the compared pages omit because their client sends no values about itself.
    package let forSomeClients: [String]
    /// The sections, before and after, that can be on pages in other languages than the compared ones.
    package let forSomeLanguages: [String]
    package private(set) var views: [View] = []
    package private(set) var layouts: [ChangedLayout] = []
    /// The storefronts that were not compared because there was no time.
    package var notCompared: [String] = []
    package var findings: [ReviewFinding] = []

    package var errors: [ReviewFinding] { findings.filter { $0.severity == .error } }

    /// Creates a plan without comparisons. `start` is the time that `from` means, even if that is nil.
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

    /// Adds the changes that clients of a storefront see. Storefronts with the same changes are combined. A changed
    /// layout is listed once, as it is on a screen.
    package mutating func compare(_ storefront: String, from before: ClientPage?, to after: ClientPage, on screen: LayoutEnvironment) {
        let changes = PageComparison(from: before, to: after)
        if let index = comparisons.firstIndex(where: { $0.isAlike(changes) }) { return views[index].storefronts.append(storefront) }
        comparisons.append(changes)
        views.append(View(storefronts: [storefront], sections: changes.sections, lines: changes.lines))
        for change in changes.sections where change.hasOtherLayout && !layouts.contains(where: { $0.section == change.id }) {
            guard let prior = before?.sections.first(where: { $0.id == change.id }),
                let later = after.sections.first(where: { $0.id == change.id }),
                let previous = before?.layout(of: prior, in: screen), let layout = after.layout(of: later, in: screen), previous != layout
            else { continue }
            layouts.append(
                ChangedLayout(
                    section: change.id, title: change.title, before: .init(layout: previous, itemCount: prior.items.count),
                    after: .init(layout: layout, itemCount: later.items.count)))
        }
    }

    /// The comparisons of the first storefront of each view.
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
