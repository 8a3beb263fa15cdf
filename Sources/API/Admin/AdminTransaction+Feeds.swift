internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Publishing
internal import Values

extension AdminTransaction {
    /// The newest revision of a line; nil where there is none.
    func draft(of feed: FeedKey, on line: LineKey) async throws -> Draft? {
        guard let newest = try await feeds.revisions(of: feed, on: line, limit: 1).first else { return nil }
        return try await revision(newest.number, of: feed)
    }

    /// The same where there has to be one.
    func knownDraft(of feed: FeedKey, on line: LineKey) async throws -> Draft {
        if let draft = try await draft(of: feed, on: line) { return draft }
        throw try await feeds.feeds().contains { $0.key == feed.text } ? Problem.unknownDraft(of: feed, on: line) : .unknown(feed)
    }

    func revision(_ number: Int, of feed: FeedKey) async throws -> Draft {
        let (revision, document) = try await feeds.revision(number, of: feed)
        return Draft(feed: feed, revision: revision, document: document)
    }

    /// As it is now.
    func state(of feed: FeedKey) async throws -> TaggedResource { try TaggedResource(try await feedState(of: feed, at: nil)) }

    /// With what is shown at a moment, or now, and to come from there on; what can be gone back to is told of now alone.
    func feedState(of feed: FeedKey, at moment: Timestamp?) async throws -> AdminFeed {
        guard let summary = try await feeds.feeds(at: moment).first(where: { $0.key == feed.text }) else { throw Problem.unknown(feed) }
        let publications: [Publication]
        let base: Publication?
        if let moment {
            publications = try await feeds.schedule(of: feed, notOverAt: moment)
            base = publications.first { $0.layer == .base && $0.from <= moment }
        } else {
            publications = try await feeds.present(of: feed)
            base = try await feeds.layers(of: feed)[feed.text]?.first { $0.layer == .base }
        }
        return AdminFeed(
            summary: summary, lines: try await feeds.drafts(of: feed), publications: publications, base: base,
            formerBase: moment == nil ? try await feeds.revisionShownBefore(feed) : nil, draft: try await draft(of: feed, on: .main))
    }

    /// A document from the body of the request, of the feed in its path.
    func document(of feed: FeedKey) throws -> FeedDocument {
        let document: FeedDocument
        do throws(JSONError) {
            document = try FeedDocument(parsing: context.request.body, limits: .feed)
        } catch {
            throw Problem(error)
        }
        guard document.key == feed else {
            var problem = Problem(.unprocessableContent, code: "otherFeed", detail: "The document is of another feed than the path.")
            problem.mistakes = [Problem.FieldError(pointer: "/feed", message: "expected \(feed)")]
            throw problem
        }
        return document
    }
}

extension Problem {
    static func unknown(_ feed: FeedKey) -> Problem {
        Problem(.notFound, code: "unknownFeed", detail: "There is no feed \(feed). GET /admin/v1/feeds lists them.")
    }

    static func unknownDraft(of feed: FeedKey, on line: LineKey) -> Problem {
        Problem(.notFound, code: "unknownDraft", detail: "There is no draft of \(feed) on the line \(line).")
    }
}
