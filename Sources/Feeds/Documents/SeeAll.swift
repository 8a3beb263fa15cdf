package import JSON
package import Layout

/// The full list behind a section.
package struct SeeAll: Sendable, Hashable {
    package let title: LocalizedText
    package let layout: LayoutForm
}

extension SeeAll: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let title = object.required("title", as: LocalizedText.self)
        layout = object.value("layout", default: .list(ListLayout()))
        try object.finish()
        self.title = try title()
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("title", title)
            json.member("layout", layout, unless: .list(ListLayout()))
        }
    }
}
