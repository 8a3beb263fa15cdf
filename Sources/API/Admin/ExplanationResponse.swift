internal import Feeds
internal import Items
internal import JSON

/// Why each place of a page has what it has.
struct ExplanationResponse: JSONEncodable {
    let feed: FeedKey
    /// Nil for a document that is not saved.
    let revision: Int?
    let storefront: String
    let locale: LocaleTag
    let sections: [SectionExplanation]

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("feed", feed)
            json.member("revision", revision)
            json.member("storefront", storefront)
            json.member("locale", locale.text)
            json.member("sections", sections)
        }
    }
}
