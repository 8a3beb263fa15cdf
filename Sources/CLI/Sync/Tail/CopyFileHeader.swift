internal import JSON
internal import VitrineClient

/// What a file says of the copy in it, on its first line.
struct CopyFileHeader: JSONEncodable {
    private static let format = 1

    let scope: CopyScope

    init(scope: CopyScope) { self.scope = scope }

    /// Nil of any other line, and of a format to come.
    init?(_ node: JSONNode) {
        guard node["vitrineCopy"]?.integer == Self.format, let storefront = node["storefront"]?.string, let locale = node["locale"]?.string
        else { return nil }
        scope = CopyScope(storefront: storefront, feeds: node["feeds"].map { $0.elements.compactMap(\.string) }, locale: locale)
    }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("vitrineCopy", Self.format)
            json.member("storefront", scope.storefront)
            json.member("feeds", scope.feeds)
            json.member("locale", scope.locale)
        }
    }
}
