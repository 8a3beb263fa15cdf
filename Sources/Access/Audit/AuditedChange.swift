package import Values

/// A change as the audit log records it: an action, its subject, and the state before and after.
package struct AuditedChange: Sendable {
    /// The kind of a change, such as `draft.save`.
    package struct Action: RawRepresentable, Sendable, Hashable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        package static let saveDraft = Action(rawValue: "draft.save")
        package static let archiveFeed = Action(rawValue: "feed.archive")
        package static let restoreFeed = Action(rawValue: "feed.restore")
        package static let publish = Action(rawValue: "publication.create")
        package static let cancel = Action(rawValue: "publication.cancel")
        package static let rollBack = Action(rawValue: "feed.rollback")
        package static let setItem = Action(rawValue: "item.save")
        package static let withdrawItem = Action(rawValue: "item.withdraw")
        package static let restoreItem = Action(rawValue: "item.restore")
        package static let importItems = Action(rawValue: "item.import")
        package static let closeStorefront = Action(rawValue: "storefront.close")
        package static let openStorefront = Action(rawValue: "storefront.open")
        package static let setExperiment = Action(rawValue: "experiment.save")
        package static let startExperiment = Action(rawValue: "experiment.start")
        package static let concludeExperiment = Action(rawValue: "experiment.conclude")
        package static let deleteExperiment = Action(rawValue: "experiment.delete")
        package static let setHoldout = Action(rawValue: "holdout.save")
        package static let createToken = Action(rawValue: "token.create")
        package static let revokeToken = Action(rawValue: "token.revoke")

        /// The saving of a resource of a kind that clients see immediately, such as `category`.
        package static func save(_ kind: String) -> Action { Action(rawValue: "\(kind).save") }
        package static func delete(_ kind: String) -> Action { Action(rawValue: "\(kind).delete") }
    }

    package let action: Action
    package let feed: String?
    /// The path of the changed resource, such as `feeds/today/draft?line=main`.
    package let subject: String
    /// The previous state in JSON; nil if the subject did not exist.
    package let before: [UInt8]?
    /// The new state in JSON; nil if the subject was deleted.
    package let after: [UInt8]?

    package init(_ action: Action, feed: String? = nil, of subject: String, from before: [UInt8]?, to after: [UInt8]?) {
        self.action = action
        self.feed = feed
        self.subject = subject
        self.before = before
        self.after = after
    }
}

package struct AuditFilter: Sendable, Equatable {
    package var feed: String?
    package var actor: String?
    package var since: Timestamp?

    package init(feed: String? = nil, actor: String? = nil, since: Timestamp? = nil) {
        self.feed = feed
        self.actor = actor
        self.since = since
    }
}
