internal import Access
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Publishing

extension Route {
    static func plans(_ service: AdminService) -> [Route] {
        let limit = BodyLimit.bytes(JSONLimits.feedFiles.bytes)
        return [
            admin(.post, "/admin/v1/feeds:plan", .read, bodyLimit: limit, service) { request in
                try QueryParameters(request.context.head.target.query, known: []).finish()
                return try await request.reading { transaction in
                    AdminResponse(try await transaction.review(try await transaction.plan(of: try transaction.feedFiles())).state).response
                }
            },
            admin(.post, "/admin/v1/feeds:apply", .curate, bodyLimit: limit, service) { request in try await request.apply() },
        ]
    }
}

extension AdminRequest {
    /// Applies a plan completely or not at all, if it would still be the same plan now.
    fileprivate func apply() async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let condition = try EditPrecondition(of: self, namesState: true)
        return try await changing { transaction in
            let request = try transaction.feedFiles()
            try await transaction.hold(request)
            let plan = try await transaction.plan(of: request)
            try condition.check(try plan.state)
            if plan.changes.contains(where: \.isVisible), curator.scope < .publish { throw Problem.insufficientScope(needed: .publish) }
            var done: [Int: AppliedChange] = [:]
            // Stories precede the feeds that open them.
            let (stories, others) = (
                plan.changes.indices.filter { plan.changes[$0].isStory }, plan.changes.indices.filter { !plan.changes[$0].isStory }
            )
            for index in stories + others { done[index] = try await transaction.run(plan.changes[index]) }
            return AdminResponse(.ok, try ["changes": plan.changes.indices.compactMap { done[$0] }].json())
        }
    }
}

extension PlannedChange {
    fileprivate var isStory: Bool { file?.document.kind == .story }
}

extension AdminTransaction {
    /// Locks all feeds that a plan may change, always in the same order, so that two plans cannot deadlock.
    fileprivate func hold(_ request: PlanRequest) async throws {
        let there = try await feeds.feeds().map(\.key)
        let named = request.files.map(\.document.key.text)
        for key in Set(named + (request.prunes ? there : [])).sorted() {
            guard let feed = FeedKey(key) else { continue }
            if there.contains(key) { try await feeds.hold(feed) } else { try await feeds.make(feed) }
        }
    }

    fileprivate func run(_ change: PlannedChange) async throws -> AppliedChange {
        let feed = change.feed
        var done = AppliedChange(change)
        if change.restores {
            try await feeds.restore(feed)
            try await recordArchiving(of: feed, to: false)
        }
        guard let file = change.file, let line = change.line else {
            try await feeds.archive(feed)
            try await recordArchiving(of: feed, to: true)
            return done
        }
        if change.action != .unchanged {
            let before = try await draft(of: feed, on: line)
            let number = try await feeds.save(file.document, on: line).number
            done.revision = number
            try await record(
                AuditedChange(
                    .saveDraft, feed: feed.text, of: "feeds/\(feed)/draft?line=\(line)", from: try before?.revision.json(),
                    to: try await revision(number, of: feed).revision.json()))
        }
        if change.publishes, let number = done.revision {
            let (publication, warnings) = try await publisher.publish(
                number, of: feed, PublicationOrder(replacesLocal: change.replacesLocal))
            done.publication = publication
            done.findings = warnings
            try await recordPublication(publication, .publish)
        }
        return done
    }

    /// Adds the audit entry of a feed that was archived or restored.
    func recordArchiving(of feed: FeedKey, to isArchived: Bool) async throws {
        func state(_ isArchived: Bool) -> [UInt8] { Array(#"{"archived":\#(isArchived)}"#.utf8) }
        try await record(
            AuditedChange(
                isArchived ? .archiveFeed : .restoreFeed, feed: feed.text, of: "feeds/\(feed)", from: state(!isArchived),
                to: state(isArchived)))
    }
}
