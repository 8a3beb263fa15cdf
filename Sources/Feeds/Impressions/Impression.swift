package import JSON

/// The publication that a page shows: its storefront, feed and revision, in one history of the published documents.
///
/// It is the same for all clients, so that they share pages. Clients send it with their events, as an opaque token, and
/// the ID of a placement after it: `TOKEN/today/hero/k8`.
package struct Impression: Sendable, Equatable {
    /// The nonce of the epoch. After a restore, another publication can have the same ID.
    package let epoch: UInt64
    package let storefront: String
    package let feed: String
    package let publication: Int
    package let revision: Int

    /// Creates the impression of a published feed. Returns nil if the feed has no publication, as in a preview.
    package init?(of feed: PublishedFeed, in storefront: String, epoch: Int?) {
        guard let publication = feed.publication, let epoch else { return nil }
        self.epoch = UInt64(bitPattern: Int64(epoch))
        self.storefront = storefront
        self.feed = feed.key.text
        self.publication = publication
        revision = feed.revision
    }

    /// The text that identifies the token among the signed ones.
    package static let mark = "impression"

    /// The parts of the token, in their order.
    package var texts: [String] { [String(epoch, radix: 16), storefront, feed, "\(publication)", "\(revision)"] }

    /// Reads the parts of a token. Returns nil if they are not those of an impression.
    package init?(_ texts: [String]) {
        guard texts.count == 5, let epoch = UInt64(texts[0], radix: 16), let publication = Int(texts[3]), let revision = Int(texts[4])
        else { return nil }
        (self.epoch, storefront, feed, self.publication, self.revision) = (epoch, texts[1], texts[2], publication, revision)
    }
}

/// An impression as curators see it.
package struct DescribedImpression: Sendable, Equatable {
    package let impression: Impression
    /// The placement, if the ID names one.
    package let placement: String?
    /// The publication, or nil if it no longer exists.
    package let publication: Publication?

    package init(_ impression: Impression, placement: String?, publication: Publication?) {
        self.impression = impression
        self.placement = placement
        self.publication = publication
    }
}

extension DescribedImpression: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let epoch: String = try object.value("epoch")
        let texts = [
            epoch, try object.value("storefront"), try object.value("feed"), "\(try object.value("publicationId") as Int)",
            "\(try object.value("revision") as Int)",
        ]
        guard let impression = Impression(texts) else { throw object.refuse(.invalidFormat, at: "epoch", "expected hexadecimal digits") }
        self.impression = impression
        placement = object.optional("placement")
        publication = object.optional("publication")
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("epoch", String(impression.epoch, radix: 16))
        json.member("storefront", impression.storefront)
        json.member("feed", impression.feed)
        json.member("revision", impression.revision)
        json.member("publicationId", impression.publication)
        json.member("placement", placement)
        json.member("publication", publication)
    }
}
