package import JSON
package import Layout
package import Resolve

/// A section as clients receive it, without its placements. It includes the target, which a syncing client evaluates.
package struct PublishedSection: Sendable, Equatable {
    package struct SeeAll: Sendable, Equatable {
        package let title: LocalizedText
        package let arrangement: Arrangement
        /// The cells of the list, or nil if it has those of the section.
        package let cells: CellStyles?

        package init(title: LocalizedText, arrangement: Arrangement, cells: CellStyles? = nil) {
            self.title = title
            self.arrangement = arrangement
            self.cells = cells
        }
    }

    /// The ID, such as `today/top-free`.
    package let id: String
    package let title: LocalizedText?
    package let subtitle: LocalizedText?
    package let arrangement: Arrangement
    package let cells: CellStyles
    /// The way to fill the shelf.
    package let fill: Resolve.Fill
    /// Whether clients can load more items in place.
    package let continues: Bool
    package let grouping: FeedSection.Grouping
    package let target: Target?
    package let seeAll: SeeAll?
    package let skeleton: Int?
    package let tracking: String
}

extension PublishedSection: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let id = object.required("id", as: String.self)
        title = object.optional("title")
        subtitle = object.optional("subtitle")
        let arrangement = Result { () throws(JSONReadError) in try Arrangement(&object) }
        let cells = CellStyles(published: &object)
        fill = object.value("fill", default: Resolve.Fill(size: FeedSection.standardSize))
        continues = object.value("continues", default: false)
        grouping = object.value("group", default: .none)
        target = object.optional("target")
        seeAll = object.optional("seeAll")
        skeleton = object.optional("skeleton")
        let tracking = object.required("tracking", as: String.self)
        try object.finish()
        self.id = try id()
        self.arrangement = try arrangement.get()
        guard let cells else { throw object.refuse(.missingKey, at: "cell", "the cells are missing or invalid") }
        self.cells = cells
        self.tracking = try tracking()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("title", title)
        json.member("subtitle", subtitle)
        arrangement.encodeMembers(to: &json)
        cells.encodeMembers(to: &json)
        json.member("fill", fill)
        json.member("continues", continues, unless: false)
        json.member("group", grouping, unless: .none)
        json.member("target", target)
        json.member("seeAll", seeAll)
        json.member("skeleton", skeleton)
        json.member("tracking", tracking)
    }
}

extension PublishedSection.SeeAll: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let title = object.required("title", as: LocalizedText.self)
        let arrangement = Result { () throws(JSONReadError) in try Arrangement(&object) }
        cells = CellStyles(published: &object)
        try object.finish()
        self.title = try title()
        self.arrangement = try arrangement.get()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("title", title)
        arrangement.encodeMembers(to: &json)
        cells?.encodeMembers(to: &json)
    }
}
