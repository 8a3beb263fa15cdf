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

    /// The start in storefronts in which the order means the same, and what it changes there.
    package struct Start: Sendable {
        package let storefronts: [String]
        /// The revision that is visible at the start, on the same layer or below it. It is nil if no revision is visible.
        package let previous: Int?
        package let revision: Int
        /// The start, or nil if it is now.
        package let from: Timestamp?
        /// The end, or nil if the span is open-ended.
        package let until: Timestamp?
        /// The takeover that is visible at the start instead.
        package let takeover: Publication?
        /// The difference of the documents, for programs. It is nil if the plan was read from a response, or no revision
        /// was visible before.
        package let difference: FeedDiff?
        /// The lines of the difference, or nil if no revision was visible before.
        package let lines: [DiffLine]?
    }

    /// A publication that prevents this one in some storefronts.
    package struct Conflict: Sendable, Equatable {
        package let storefronts: [String]
        package let publication: Publication

        package init(storefronts: [String], publication: Publication) {
            self.storefronts = storefronts
            self.publication = publication
        }
    }

    package let feed: FeedKey
    /// The time since which the feed is archived.
    package let archivedAt: Timestamp?
    package let layer: Publication.Layer
    /// The order. It is nil if this is a rollback.
    package let order: PublicationOrder?
    /// The starts, each with its storefronts. Empty if the order has no span anywhere.
    package let starts: [Start]
    /// The publications that already have the time. With any of them, the publication is rejected.
    package let conflictingPublications: [Conflict]
    /// The publications for listed storefronts that the order would replace, which it does only with `replaceLocal`.
    package let localBases: [Conflict]
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

    /// The revisions that are published, in the order of the starts.
    package var revisions: [Int] {
        starts.enumerated().filter { index, start in !starts[..<index].contains { $0.revision == start.revision } }.map(\.element.revision)
    }

    /// Whether every storefront shows the planned revision already. A rollback does not change what is under a takeover.
    package func changesNothing(isRollback: Bool) -> Bool {
        layer == .base && !starts.isEmpty
            && starts.allSatisfy { $0.previous == $0.revision && $0.from == nil && (isRollback || $0.takeover == nil) }
    }

    /// A revision with its document.
    package typealias NumberedDocument = (number: Int, document: FeedDocument)

    /// Creates a plan without comparisons from what the order means in each storefront.
    package init(
        of feed: FeedKey, on layer: Publication.Layer, order: PublicationOrder?, archivedAt: Timestamp?, starts: [PlannedStart],
        documents: [Int: FeedDocument]
    ) {
        self.feed = feed
        self.archivedAt = archivedAt
        self.layer = layer
        self.order = order
        var groups: [[PlannedStart]] = []
        for start in starts where !start.span.isEmpty {
            if let index = groups.firstIndex(where: { $0[0].isAlike(start) }) {
                groups[index].append(start)
            } else {
                groups.append([start])
            }
        }
        self.starts = groups.map { group in
            let first = group[0]
            let difference: FeedDiff? =
                if let previous = first.previous, let before = documents[previous], let after = documents[first.revision] {
                    FeedDiff(from: before, to: after)
                } else { nil }
            return Start(
                storefronts: group.map(\.span.storefront), previous: first.previous, revision: first.revision, from: first.from,
                until: first.span.until, takeover: first.takeover, difference: difference, lines: difference?.lines)
        }
        conflictingPublications = Self.conflicts(starts, \.conflicts)
        localBases = order?.replacesLocal ?? true ? [] : Self.conflicts(starts) { $0.localBase.map { [$0] } ?? [] }
        let sections = documents.sorted { $0.key > $1.key }.flatMap(\.value.sections)
        func keys(_ isSo: (Target) -> Bool) -> [String] {
            let keys = sections.filter { $0.target.map(isSo) ?? false }.map(\.key.text)
            return keys.enumerated().filter { !keys[..<$0.offset].contains($0.element) }.map(\.element)
        }
        forSomeClients = keys { $0.asksClients }
        forSomeLanguages = keys { !$0.locales.isEmpty }
    }

    private static func conflicts(_ starts: [PlannedStart], _ conflicts: (PlannedStart) -> [Publication]) -> [Conflict] {
        var places: [Int: [String]] = [:]
        var publications: [Publication] = []
        for start in starts {
            for publication in conflicts(start) {
                if places[publication.id] == nil { publications.append(publication) }
                places[publication.id, default: []].append(start.span.storefront)
            }
        }
        return publications.map { Conflict(storefronts: places[$0.id] ?? [], publication: $0) }
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
        json.member("layer", layer.rawValue)
        order?.encodeMembers(to: &json)
        json.member("starts", starts)
        json.member("conflictingPublications", conflictingPublications, unless: [])
        json.member("localBases", localBases, unless: [])
        json.member("targetedSections", forSomeClients, unless: [])
        json.member("localizedSections", forSomeLanguages, unless: [])
        json.member("comparisons", views)
        json.member("skipped", notCompared, unless: [])
        json.member("layouts", layouts)
        json.member("findings", findings)
    }
}

extension PublicationPlan {
    /// Returns the JSON of a plan without the comparison of the pages. The pages also change with the catalog, and the time that the
    /// server had left decides how many are compared.
    package static func confirmedPart(of document: JSONNode) -> JSONValue {
        var plan = JSONValue(document)
        for member in ["comparisons", "skipped", "layouts"] { plan[member] = nil }
        return plan
    }
}

extension PublicationPlan: JSONObjectDecodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        feed = try object.value("feed")
        archivedAt = object.essential("archivedAt")
        layer = try object.value("layer")
        order = PublicationOrder(
            storefronts: object.essential("storefronts"), from: object.essential("from"), until: object.essential("until"),
            replacesLocal: object.essential("replaceLocal", default: false))
        starts = try object.value("starts")
        conflictingPublications = object.essential("conflictingPublications", default: [])
        localBases = object.essential("localBases", default: [])
        forSomeClients = object.essential("targetedSections", default: [])
        forSomeLanguages = object.essential("localizedSections", default: [])
        views = try object.value("comparisons")
        notCompared = object.essential("skipped", default: [])
        layouts = object.essential("layouts", default: [])
        findings = try object.value("findings")
    }
}

extension PublicationPlan.Start: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("storefronts", storefronts)
        json.member("fromRevision", previous)
        json.member("toRevision", revision)
        json.member("from", from?.description)
        json.member("until", until?.description)
        json.member("activeTakeover", takeover)
        json.member("diff", difference)
        json.member("diffLines", lines)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        storefronts = try object.value("storefronts")
        previous = object.essential("fromRevision")
        revision = try object.value("toRevision")
        from = object.essential("from")
        until = object.essential("until")
        takeover = object.essential("activeTakeover")
        _ = object.member("diff")
        difference = nil
        lines = object.essential("diffLines")
    }
}

extension PublicationPlan.Conflict: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("storefronts", storefronts)
        json.member("publication", publication)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        storefronts = try object.value("storefronts")
        publication = try object.value("publication")
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
