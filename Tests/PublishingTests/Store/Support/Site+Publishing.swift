import JSON
import Postgres
import TestDatabase
import Values

@testable import Feeds
@testable import Publishing

extension Site {
    static let storefronts = ["de", "sa", "us"]

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
        case publish(Int, FeedKey, on: Publication.Layer = .base, PublicationOrder = PublicationOrder())
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
            case .publish(let number, let feed, let layer, let order):
                _ = try await store.publish(number, of: feed, on: layer, order)
            case .cancel(let id): try await store.cancel(id)
            case .archive(let feed): try await store.archive(feed)
            }
            return nil
        } catch {
            return error
        }
    }
}

extension FeedStore {
    /// Returns the schedule of a feed in a storefront, without ended publications at a time.
    func schedule(of feed: FeedKey, in storefront: String = "us", notOverAt time: Timestamp? = nil) async throws -> [Schedule.Entry] {
        Schedule(try await publications(of: feed, notOverAt: time), in: storefront).entries
    }
}

extension PublicationOrder {
    /// Creates an order for all storefronts from an instant until another.
    init(_ from: Timestamp? = nil, until: Timestamp? = nil) {
        self.init(from: from.map { .instant($0) }, until: until.map { .instant($0) })
    }
}

extension Timestamp {
    func adding(minutes: Int) -> Timestamp { Timestamp(clamping: microseconds + Int64(minutes) * 60_000_000) }
}
