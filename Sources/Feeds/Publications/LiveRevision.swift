package import JSON
package import Values

/// The live revision of a feed in the storefronts that show it on the same layer until the same time.
package struct LiveRevision: Sendable, Equatable {
    package let storefronts: [String]
    package let revision: Int
    package let layer: Publication.Layer
    /// The time at which the live revision changes without further requests.
    package let until: Timestamp?

    package init(storefronts: [String], revision: Int, layer: Publication.Layer, until: Timestamp?) {
        self.storefronts = storefronts
        self.revision = revision
        self.layer = layer
        self.until = until
    }
}

extension LiveRevision {
    private struct Group: Hashable {
        let revision: Int
        let layer: Publication.Layer
        let until: Timestamp?
    }

    /// Returns the live revisions at a time by feed, each with those of the storefronts that show it. The publications include
    /// all that are live then or start later.
    package static func all(
        of publications: [Publication], at time: Timestamp, in storefronts: Set<String>
    ) -> [String: [LiveRevision]] {
        Dictionary(grouping: publications, by: \.feed).mapValues { publications in
            var groups: [Group: [String]] = [:]
            for (storefront, schedule) in Schedule.all(of: publications) where storefronts.contains(storefront) {
                guard let live = schedule.live(at: time) else { continue }
                let group = Group(revision: live.revision, layer: live.layer, until: schedule.change(after: time))
                groups[group, default: []].append(storefront)
            }
            return groups.map { group, storefronts in
                LiveRevision(storefronts: storefronts.sorted(), revision: group.revision, layer: group.layer, until: group.until)
            }.sorted { ($0.storefronts.first ?? "") < ($1.storefronts.first ?? "") }
        }
    }
}

extension LiveRevision: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("storefronts", storefronts)
        json.member("revision", revision)
        json.member("layer", layer.rawValue)
        json.member("until", until?.description)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        storefronts = try object.value("storefronts")
        revision = try object.value("revision")
        layer = try object.value("layer")
        until = object.essential("until")
    }
}

extension [LiveRevision] {
    /// Returns the live revision in a storefront.
    package func live(in storefront: String) -> LiveRevision? { first { $0.storefronts.contains(storefront) } }
}

/// A revision, and the storefronts that show it or would return to it.
package struct StorefrontRevision: Sendable, Equatable {
    /// The storefronts, sorted by key.
    package let storefronts: [String]
    package let revision: Int

    package init(storefronts: [String], revision: Int) {
        self.storefronts = storefronts
        self.revision = revision
    }
}

extension StorefrontRevision: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("storefronts", storefronts)
        json.member("revision", revision)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        storefronts = try object.value("storefronts")
        revision = try object.value("revision")
    }
}
