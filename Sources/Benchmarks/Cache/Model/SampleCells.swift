import Postgres
import Settings

/// The sample feeds with more layouts. In the sample, all layouts of a section have the same cells, so a wrong choice of
/// cells would not be visible.
enum SampleCells {
    /// Publishes each feed again. Each section has two variants more and the alternate `column`, and each list has the
    /// variants too, all with their own cells.
    static func publish(in url: DatabaseURL) throws {
        let publish = PostgresQuery("publish", query, isPrepared: false)
        let client = try PostgresClient(url)
        let publications = Result { try client.run { try await $0.rows(of: publish, as: Int.self, until: .late) } }
        try client.close()
        guard try !publications.get().isEmpty else { throw BenchmarkFailure(reason: "the sample has no feeds") }
    }

    private static let query = """
        WITH newest AS (
            SELECT DISTINCT ON (feed) feed, document::jsonb AS document FROM vitrine.revisions WHERE line = 'main' ORDER BY feed, number DESC
        ), added AS (
            SELECT '[{"when": {"minTextSize": "xxxLarge"}, "layout": {"list": {}}, "cell": "largeTextRow"},
                {"when": {"horizontalSizeClass": "regular", "maxHeight": 700}, "layout": {"grid": {"columns": 3}}, "cell": "wideTile"}]'::jsonb
                    AS variants,
                '{"column": {"layout": {"list": {}}, "cell": "columnRow"}}'::jsonb AS alternates
        ), changed AS (
            SELECT feed, document || jsonb_build_object('sections', jsonb_agg(
                section || jsonb_build_object(
                    'variants', variants || coalesce(section -> 'variants', '[]'),
                    'alternates', coalesce(section -> 'alternates', '{}') || alternates)
                || CASE WHEN section ? 'seeAll' THEN jsonb_build_object(
                    'seeAll', section -> 'seeAll' || jsonb_build_object('cell', 'listRow', 'variants', variants)) ELSE '{}' END
                ORDER BY position)) AS document
            FROM newest, added, jsonb_array_elements(document -> 'sections') WITH ORDINALITY AS sections (section, position)
            GROUP BY feed, document
        )
        SELECT vitrine.publish(feed, 'base', vitrine.save_revision(feed, 'main', document::text))::bigint FROM changed
        """
}
