package import JSON
package import Layout
package import Resolve

/// A section as clients receive it, without its placements. It includes the target, which a syncing client evaluates.
package struct PublishedSection: Sendable, Equatable {
    package struct SeeAll: Sendable, Equatable {
        package let title: LocalizedText
        package let layout: LayoutID

        package init(title: LocalizedText, layout: LayoutID) {
            self.title = title
            self.layout = layout
        }
    }

    /// The ID, such as `today/top-free`.
    package let id: String
    package let title: LocalizedText?
    package let subtitle: LocalizedText?
    package let arrangement: Arrangement
    package let cells: CellStyles
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
        let cell = object.optional("cell", as: String.self)
        let cells = object.value("cells", default: [String: String]())
        grouping = object.value("group", default: .none)
        target = object.optional("target")
        seeAll = object.optional("seeAll")
        skeleton = object.optional("skeleton")
        let tracking = object.required("tracking", as: String.self)
        try object.finish()
        self.id = try id()
        self.arrangement = try arrangement.get()
        self.cells = cell.map { .all($0) } ?? .slots(Dictionary(cells.map { (Name($0), $1) }, uniquingKeysWith: { first, _ in first }))
        self.tracking = try tracking()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("title", title)
        json.member("subtitle", subtitle)
        arrangement.encodeMembers(to: &json)
        cells.encodeMembers(to: &json)
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
        let layout = object.required("layout", as: LayoutID.self)
        try object.finish()
        self.title = try title()
        self.layout = try layout()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("title", title)
        json.member("layout", layout)
    }
}
