package import JSON
package import Layout

/// A feed as clients receive it, with the IDs of its sections in order.
package struct PublishedFeed: Sendable, Equatable {
    package let key: FeedKey
    package let kind: FeedDocument.Kind
    package let title: LocalizedText
    package let theme: FeedTheme
    package let configuration: PageConfiguration
    package let revision: Int
    /// The live publication, or nil if the feed is a preview.
    package let publication: Int?
    /// The experiments that the targets of the feed name, and the holdout.
    package let registry: ExperimentRegistry
    package let sections: [String]
}

extension PublishedFeed: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let key = object.required("feed", as: FeedKey.self)
        let title = object.required("title", as: LocalizedText.self)
        kind = object.value("kind", default: .page)
        theme = object.value("theme", default: FeedTheme())
        configuration = object.value("configuration", default: PageConfiguration())
        let revision = object.required("revision", as: Int.self)
        publication = object.optional("publication")
        registry = try ExperimentRegistry(&object)
        let sections = object.required("sections", as: [String].self)
        try object.finish()
        self.key = try key()
        self.title = try title()
        self.revision = try revision()
        self.sections = try sections()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", key)
        json.member("kind", kind, unless: .page)
        json.member("title", title)
        json.member("theme", theme, unless: FeedTheme())
        json.member("configuration", configuration, unless: PageConfiguration())
        json.member("revision", revision)
        json.member("publication", publication)
        registry.encodeMembers(to: &json)
        json.member("sections", sections)
    }
}
