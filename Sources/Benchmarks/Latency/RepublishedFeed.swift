import Host
import Postgres
import Settings

/// A feed that is published with another title each time.
final class RepublishedFeed {
    private static let publication = """
        SELECT vitrine.publish($1, 'base', vitrine.save_revision($1, 'main', (
            SELECT jsonb_set(document::jsonb, '{title,en}', to_jsonb($2::text))::text FROM vitrine.revisions
            WHERE feed = $1 AND line = 'main' ORDER BY number DESC LIMIT 1)))
        """

    private let client: PostgresClient
    private let feed: String
    private var number = 0

    /// The title of the last publication.
    var title: String { "Published, number \(number)" }

    init(_ feed: String, _ url: DatabaseURL) throws {
        client = try PostgresClient(url)
        self.feed = feed
    }

    /// Publishes the feed with the next title.
    func publish() throws {
        number += 1
        let query = PostgresQuery("republish", Self.publication, feed, title)
        _ = try client.run { try await $0.rows(of: query, as: Int.self, until: .late) }
    }

    func close() throws { try client.close() }
}
