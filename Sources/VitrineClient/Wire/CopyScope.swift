/// Of what a copy is kept: each has cursors and versions of its own.
public struct CopyScope: Sendable, Hashable, CustomStringConvertible {
    public let storefront: String
    /// In order and each once; nil for the whole catalog.
    public let feeds: [String]?
    public let locale: String

    public init(storefront: String, feeds: [String]? = nil, locale: String) {
        self.storefront = storefront
        self.feeds = feeds.map { Set($0).sorted() }
        self.locale = locale
    }

    public var description: String {
        "\(feeds.map { "feeds \($0.joined(separator: ","))" } ?? "catalog") of \(storefront) in \(locale)"
    }
}
