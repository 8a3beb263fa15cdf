package import JSON
package import Layout

/// The "See All" list of a section.
package struct SeeAll: Sendable, Hashable {
    package static let standardSize = 200

    package let title: LocalizedText
    package let layout: LayoutChoice
    /// The cells of the list, or nil if it has those of the section.
    package let cells: CellStyles?
    /// The maximum number of items of the list.
    package let size: Int
}

extension SeeAll: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let title = object.required("title", as: LocalizedText.self)
        let layout = Result { () throws(JSONReadError) in try LayoutChoice(&object, default: .list(ListLayout())) }
        cells = CellStyles.read(&object, slots: layout.value?.slots)
        size = object.value("size", default: Self.standardSize, .in(1...FeedSection.maxItems))
        self.title = try title()
        self.layout = try layout.get()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("title", title)
        layout.encodeMembers(to: &json, default: .list(ListLayout()))
        cells?.encodeMembers(to: &json)
        json.member("size", size, unless: Self.standardSize)
    }
}

extension Result {
    /// The value, or nil after a failure.
    var value: Success? { if case .success(let value) = self { value } else { nil } }
}
