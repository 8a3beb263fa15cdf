package import Artwork
package import Feeds
package import Items
package import JSON
internal import Layout
internal import Values

package struct ChangeRenderer {
    private let storefront: Storefront
    private let locales: LocaleFallback
    private let placeholder: (Artwork) -> Placeholder
    /// Returns the token of the impression of a feed, or nil if it has none.
    private let impression: (PublishedFeed) -> String?

    package init(
        _ storefront: Storefront, _ locales: LocaleFallback, placeholder: @escaping (Artwork) -> Placeholder = { $0.placeholder },
        impression: @escaping (PublishedFeed) -> String? = { _ in nil }
    ) {
        self.storefront = storefront
        self.locales = locales
        self.placeholder = placeholder
        self.impression = impression
    }

    /// Returns one change as JSON.
    package func bytes(of row: SyncRow) throws(JSONError) -> [UInt8] {
        var json = JSONWriter(capacity: 256 + (row.content?.document.count ?? 0))
        try write(row, to: &json)
        return try json.finish()
    }

    /// Writes one change. Throws if its document cannot be read.
    package func write(_ row: SyncRow, to json: inout JSONWriter) throws(JSONError) {
        json.startObject()
        json.member("op", row.content == nil ? "delete" : "upsert")
        json.member("kind", row.kind.rawValue)
        json.member("id", row.id)
        json.member("version", row.version)
        if let content = row.content {
            json.member("hash", content.hash)
            json.key("data")
            try write(content.document, of: row, to: &json)
        }
        json.endObject()
    }

    private func write(_ document: [UInt8], of row: SyncRow, to json: inout JSONWriter) throws(JSONError) {
        switch row.kind {
        case .item:
            let item = try Item(version: row.ownVersion, parsing: document)
            json.value(RenderedItem(item, in: storefront, locales, placeholder: placeholder))
        case .section: write(try read(document, as: PublishedSection.self), to: &json)
        case .placement, .entry: write(try read(document, as: PublishedPlacement.self), to: &json)
        case .list: write(try read(document, as: PublishedList.self), to: &json)
        case .feed: write(try read(document, as: PublishedFeed.self), to: &json)
        // They are the same in each locale.
        case .layout, .membership: json.rendered(document)
        }
    }

    private func read<Value: JSONDecodable>(_ document: [UInt8], as type: Value.Type) throws(JSONError) -> Value {
        try JSONDocument(parsing: document, limits: .ownOutput).decodeLeniently(type).value
    }

    private func write(_ feed: PublishedFeed, to json: inout JSONWriter) {
        json.object { json in
            json.member("feed", feed.key)
            json.member("kind", feed.kind)
            json.member("title", locales.pick(feed.title.texts))
            json.member("theme", feed.theme, unless: FeedTheme())
            json.member("configuration", feed.configuration, unless: PageConfiguration())
            json.member("revision", feed.revision)
            json.member("impression", impression(feed))
            feed.registry.encodeMembers(to: &json)
            json.member("sections", feed.sections)
        }
    }

    private func write(_ section: PublishedSection, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", section.id)
            json.member("title", section.title.flatMap { locales.pick($0.texts) })
            json.member("subtitle", section.subtitle.flatMap { locales.pick($0.texts) })
            section.arrangement.encodeMembers(to: &json)
            section.cells.encodeMembers(to: &json)
            json.member("fill", section.fill)
            json.member("continues", section.continues, unless: false)
            json.member("group", section.grouping, unless: .none)
            json.member("target", section.target)
            if let seeAll = section.seeAll {
                json.member("seeAll") { json in
                    json.member("title", locales.pick(seeAll.title.texts))
                    seeAll.arrangement.encodeMembers(to: &json)
                    seeAll.cells?.encodeMembers(to: &json)
                }
            }
            json.member("skeleton", section.skeleton)
            json.member("tracking", section.tracking)
        }
    }

    private func write(_ list: PublishedList, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", list.id)
            json.member("token", list.token)
            json.member("group", list.grouping, unless: .none)
            json.member("size", list.size)
        }
    }

    /// Writes a placement or an entry. It has no order if it is not a candidate in the locale.
    private func write(_ placement: PublishedPlacement, to json: inout JSONWriter) {
        let position = placement.position(in: locales.requested)
        json.object { json in
            json.member("section", placement.section)
            PinRenderer(storefront, locales).write(placement.content, to: &json)
            json.member("pin", placement.pin?.slot)
            json.member("target", placement.pin?.target)
            if let order = placement.orderByPlatform { json.member("order", order) } else { json.member("order", position?.key) }
            json.member("on", placement.platforms?.sorted())
            json.member("initial", position?.initial ?? placement.initials[locales.requested])
            json.member("badges", placement.badges, unless: [])
        }
    }
}
