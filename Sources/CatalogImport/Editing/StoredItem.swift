internal import Items
package import JSON
package import Values

/// An item of the catalog in the form of a record, which can be changed and written again.
package struct StoredItem: Sendable {
    package let id: UUID
    /// The version of its content.
    package let version: Int64
    package let isWithdrawn: Bool
    package let record: ItemRecord

    /// An item that matches a reference, with the fields that distinguish it from the others.
    package struct Candidate: Sendable {
        package let id: String
        package let kind: String
        package let slug: String
        package let source: String
    }

    package var candidate: Candidate {
        Candidate(id: id.description, kind: record.kind.rawValue, slug: record.slug ?? "", source: record.source)
    }

    /// An item of a list.
    package struct Summary: Sendable {
        package let id: UUID
        package let kind: String
        package let slug: String
        package let source: String
        package let serialNumber: Int64
        package let version: Int64
        package let isWithdrawn: Bool
        package let title: String
        /// The facts that rules compare. They are empty if the list has none.
        package var facts = Facts()
    }
}

extension StoredItem: JSONEncodable {
    /// Encodes the item as a record of a catalog file.
    package func encode(to json: inout JSONWriter) { record.encode(to: &json) }
}

extension StoredItem.Summary: JSONEncodable, JSONDecodable {
    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("kind", kind)
            $0.member("slug", slug)
            $0.member("source", source)
            $0.member("id", id.description)
            $0.member("serialNumber", serialNumber)
            $0.member("version", version)
            $0.member("title", title)
            facts.encodeMembers(to: &$0)
            $0.member("withdrawn", isWithdrawn)
        }
    }

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let kind = object.required("kind", as: String.self)
        let slug = object.required("slug", as: String.self)
        let source = object.required("source", as: String.self)
        let id = object.required("id", as: UUID.self)
        let serialNumber = object.required("serialNumber", as: Int64.self)
        let version = object.required("version", as: Int64.self)
        let title = object.required("title", as: String.self)
        facts = try StoredItem.Facts(&object)
        isWithdrawn = object.value("withdrawn", default: false)
        try object.finish()
        self.id = try id()
        self.kind = try kind()
        self.slug = try slug()
        self.source = try source()
        self.serialNumber = try serialNumber()
        self.version = try version()
        self.title = try title()
    }
}

extension StoredItem.Candidate: JSONEncodable, JSONDecodable {
    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("kind", kind)
            $0.member("slug", slug)
            $0.member("source", source)
        }
    }

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let id = object.required("id", as: String.self)
        let kind = object.required("kind", as: String.self)
        let slug = object.value("slug", default: "")
        let source = object.value("source", default: "")
        try object.finish()
        self.id = try id()
        self.kind = try kind()
        self.slug = slug
        self.source = source
    }
}
