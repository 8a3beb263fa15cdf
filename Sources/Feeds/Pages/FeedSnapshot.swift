package import Items
package import JSON
package import Values

/// All that is published of a feed in a storefront, as of one version.
package final class FeedSnapshot: Sendable {
    package struct Section: Sendable {
        package let published: PublishedSection
        package let version: Int
        /// By their ids.
        package let placements: [String: PublishedPlacement]

        /// In the order of a locale.
        package func list(in locale: LocaleTag) -> [VisiblePlacement] {
            placements.compactMap { id, placement in
                placement.place(in: locale).map { VisiblePlacement(id: id, item: placement.item, place: $0, badges: placement.badges) }
            }
            .sorted { ($0.place.key, $0.id) < ($1.place.key, $1.id) }
        }
    }

    package struct VisiblePlacement: Sendable {
        package let id: String
        package let item: UUID
        package let place: PublishedPlacement.Place
        package let badges: [String]
    }

    package let storefront: String
    package let feed: PublishedFeed
    /// In the order of the page.
    package let sections: [Section]
    package let items: [UUID: Item]
    /// Of the newest that was published of it and its items.
    package let version: Int
    /// When the clock changes it; nil for never.
    package let validUntil: Timestamp?

    /// `items` may be more than stand in it; `newest` is the version of the last that was published of it, perhaps of what is gone. Nil where the
    /// feed is not shown there.
    package init?(_ storefront: String, parts: [Part], items: [UUID: Item], newest: Int) throws(JSONError) {
        var feed: PublishedFeed?
        var validUntil: Timestamp?
        var sections: [String: (PublishedSection, Int)] = [:]
        var placements: [String: [String: PublishedPlacement]] = [:]
        for part in parts {
            let document = try JSONDocument(parsing: part.document, limits: .ownOutput)
            switch part.kind {
            case .feed:
                feed = try document.decodeLeniently(PublishedFeed.self).value
                validUntil = part.validUntil
            case .section: sections[part.id] = (try document.decodeLeniently(PublishedSection.self).value, part.version)
            case .placement:
                let placement = try document.decodeLeniently(PublishedPlacement.self).value
                placements[placement.section, default: [:]][part.id] = placement
            case .layout, .item, .membership: continue
            }
        }
        guard let feed else { return nil }
        self.storefront = storefront
        self.feed = feed
        self.validUntil = validUntil
        self.sections = feed.sections.compactMap { id in
            sections[id].map { Section(published: $0.0, version: $0.1, placements: placements[id] ?? [:]) }
        }
        let shown = Set(self.sections.flatMap { $0.placements.values.map(\.item) })
        self.items = shown.reduce(into: [:]) { $0[$1] = items[$1] }
        version = max(newest, self.items.values.map(\.version).max() ?? 0)
    }

    package struct Part: Sendable {
        package let kind: PublishedKind
        package let id: String
        package let version: Int
        package let document: [UInt8]
        package let validUntil: Timestamp?

        package init(kind: PublishedKind, id: String, version: Int, document: [UInt8], validUntil: Timestamp?) {
            self.kind = kind
            self.id = id
            self.version = version
            self.document = document
            self.validUntil = validUntil
        }
    }
}

/// How far is published, and in which history: two of one version are the same only where they are of one epoch.
package struct PublishedHead: Sendable, Hashable {
    /// The nonce of the epoch; nil before there is one.
    package let epoch: Int?
    package let version: Int
    /// Whether nothing waits to be published that was committed before.
    package let isComplete: Bool

    package init(epoch: Int?, version: Int, isComplete: Bool = true) {
        self.epoch = epoch
        self.version = version
        self.isComplete = isComplete
    }

    package func isNewer(after seen: PublishedHead) -> Bool {
        epoch != seen.epoch || version > seen.version || version == seen.version && isComplete && !seen.isComplete
    }
}

/// Something published that this program does not understand, as one that is newer has written it.
package struct UnreadablePublication: Sendable, CustomStringConvertible {
    package let what: String
    package let error: JSONError

    package init(what: String, error: JSONError) {
        self.what = what
        self.error = error
    }

    package var description: String { "\(what) stays as it was: \(error.description)" }
}

/// A feed in a storefront: what is composed as one.
package struct StorefrontFeed: Sendable, Hashable {
    package let storefront: String
    package let feed: String

    package init(storefront: String, feed: String) {
        self.storefront = storefront
        self.feed = feed
    }
}
