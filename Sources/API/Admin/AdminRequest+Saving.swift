internal import Access
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Publishing

extension AdminRequest {
    /// Saves what is made of a draft as the newest of its line, whatever a review says of it.
    func saving(
        _ feed: FeedKey, on line: LineKey, creates: Bool = false, _ make: @Sendable (AdminTransaction, Draft?) throws -> FeedDocument
    ) async throws -> Response {
        let condition = try EditPrecondition(of: self, creates: creates)
        return try await changing { transaction in
            let seen = try await transaction.draft(of: feed, on: line)
            try condition.check(try seen?.state)
            let document = try make(transaction, seen)
            // Before the feed is held: a review may take as long as its rules do.
            let findings = try await transaction.previewComposer.review(document, on: service.screens)
            try await transaction.feeds.make(feed)
            let before = try await transaction.draft(of: feed, on: line)
            try condition.check(try before?.state)
            // By If-Match: * as well, what is made of one draft takes the place of no other.
            guard before?.revision == seen?.revision else { throw Problem.stale(try before?.state) }
            let (number, isNew) = try await transaction.feeds.save(document, on: line)
            var after = try await transaction.revision(number, of: feed)
            if isNew {
                try await transaction.record(
                    AuditedChange(
                        .saveDraft, feed: feed.text, of: "feeds/\(feed)/draft?line=\(line)", from: try before?.revision.json(),
                        to: try after.revision.json()))
            }
            after.findings = findings
            let location = "/admin/v1/feeds/\(feed)/revisions/\(number)"
            let state = try after.state
            return AdminResponse(before == nil ? .created : .ok, state.document, tag: state.tag, location: isNew ? location : nil)
        }
    }
}
