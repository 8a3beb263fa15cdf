internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON

extension Desk {
    /// The newest revision of a line; nil where there is none.
    func draft(of feed: FeedKey, on line: LineKey) async throws -> DraftState? {
        guard let newest = try await store.revisions(of: feed, on: line, limit: 1).first else { return nil }
        return try await revision(newest.number, of: feed)
    }

    func revision(_ number: Int, of feed: FeedKey) async throws -> DraftState {
        let (revision, document) = try await store.revision(number, of: feed)
        return DraftState(feed: feed, revision: revision, document: document)
    }

    /// As it is now.
    func state(of feed: FeedKey) async throws -> AdminState {
        guard let summary = try await store.feeds().first(where: { $0.key == feed.text }) else { throw Problem.unknown(feed) }
        let draft = try await draft(of: feed, on: .main)
        let lines = try await store.drafts(of: feed)
        return try AdminState(
            FeedState(
                summary: summary, lines: lines, publications: try await store.present(of: feed),
                base: try await store.layers(of: feed)[feed.text]?.first { $0.layer == .base },
                formerBase: try await store.revisionShownBefore(feed), draft: draft))
    }

    /// A document from the body of the request, of the feed in its path.
    func document(of feed: FeedKey) throws -> FeedDocument {
        let document: FeedDocument
        do throws(JSONError) {
            document = try FeedDocument(parsing: call.call.request.body, limits: .feed)
        } catch {
            throw Problem(error)
        }
        guard document.key == feed else {
            var problem = Problem(.unprocessableContent, code: "otherFeed", detail: "The document is of another feed than the path.")
            problem.mistakes = [Problem.Mistake(pointer: "/feed", message: "expected \(feed)")]
            throw problem
        }
        return document
    }
}

extension Problem {
    static func unknown(_ feed: FeedKey) -> Problem {
        Problem(.notFound, code: "unknownFeed", detail: "There is no feed \(feed). GET /admin/v1/feeds lists them.")
    }
}
