import JSON
import Postgres
import TestDatabase
import Values

@testable import Feeds
@testable import Publishing

extension Site {
    var store: FeedStore {
        get throws {
            FeedStore(PostgresSession(connection, within: .seconds(60)))
        }
    }

    /// Returns a document of one section with a distinctive title.
    static func document(_ title: String, of feed: String = "today") throws -> FeedDocument {
        let text = """
            {"format": 2, "feed": "\(feed)", "title": {"en": "\(title)"}, "sections": [
                {"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}}
            ]}
            """
        return try FeedDocument(parsing: Array(text.utf8))
    }

    /// Returns the time of the database, rounded up to a minute.
    func now() async throws -> Timestamp {
        let query = PostgresQuery("now", "SELECT date_trunc('minute', clock_timestamp()) + interval '1 minute'")
        return try await connection.rows(of: query, as: Timestamp.self, until: .soon)[0]
    }
}

extension Site {
    /// A call of the store.
    enum Attempt {
        case save(FeedDocument)
        case read(Int, FeedKey)
        case publish(Int, FeedKey, as: FeedStore.Layer = .base, from: Timestamp? = nil, timeZone: String = "UTC")
        case cancel(Int)
        case archive(FeedKey)
    }

    /// Returns the error of a call, or nil if it succeeded.
    func rejection(_ attempt: Attempt) async throws -> FeedStoreError? {
        let store = try store
        do throws(FeedStoreError) {
            switch attempt {
            case .save(let document): _ = try await store.save(document)
            case .read(let number, let feed): _ = try await store.revision(number, of: feed)
            case .publish(let number, let feed, let layer, let from, let timeZone):
                _ = try await store.publish(number, of: feed, as: layer, from: from, timeZone: timeZone)
            case .cancel(let id): try await store.cancel(id)
            case .archive(let feed): try await store.archive(feed)
            }
            return nil
        } catch {
            return error
        }
    }
}

extension Timestamp {
    func adding(minutes: Int) -> Timestamp { Timestamp(clamping: microseconds + Int64(minutes) * 60_000_000) }
}
