internal import JSON
import Postgres

/// The effects of migrations on the content of a database.
struct MigrationReport: Sendable {
    /// The way in which a dry run undoes the migrations.
    enum Method: String, Sendable, JSONEncodable {
        /// All migrations ran in one transaction, which was rolled back.
        case transaction
        /// The migrations ran in a temporary copy of the database.
        case copy
    }

    /// The method of a dry run. nil if the migrations were applied.
    var method: Method?
    /// The effects in the order of the migrations.
    var migrations: [MigrationEffects] = []
    var findings: [MigrationFinding] = []
}

extension MigrationReport: JSONObjectEncodable {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("dryRun", method != nil)
        json.member("method", method)
        json.member("migrations", migrations)
        json.member("findings", findings)
    }
}

/// A result of a migration that an operator should check.
struct MigrationFinding: Sendable, Equatable {
    enum Code: String, Sendable, JSONEncodable {
        /// Each arm of an experiment has a section, so the default arm has one too.
        case defaultArmUsed = "DEFAULT_ARM_USED"
        /// The minimum versions of some items are not versions.
        case unreadableVersion = "UNREADABLE_VERSION"
    }

    /// A section that names the default arm of an experiment.
    struct Use: Sendable, Equatable {
        let feed: String
        let section: String
        let revisions: [Int]
        /// Whether one of the revisions is a draft, or is live or scheduled.
        let isCurrent: Bool

        fileprivate var description: String {
            "section '\(section)' of '\(feed)'" + (isCurrent ? "" : " (in earlier revisions only)")
        }
    }

    /// The maximum number of sections in a message.
    private static let maxNames = 5

    let code: Code
    let message: String
    let hint: String
    /// The experiment whose default arm is used.
    private(set) var experiment: String?
    private(set) var uses: [Use] = []

    init(defaultArm: String, of experiment: String, usedBy uses: [Use]) {
        let names = uses.prefix(Self.maxNames).map(\.description).joined(separator: ", ")
        let rest = uses.count > Self.maxNames ? " and \(uses.count - Self.maxNames) more" : ""
        code = .defaultArmUsed
        message = "clients without an ID have the default arm '\(defaultArm)' of experiment '\(experiment)', and will see \(names)\(rest)"
        hint = """
            a section uses each arm, so the first arm is the default; to hide sections from these clients, remove the arm from their targets, or \
            conclude the experiment with another arm
            """
        self.experiment = experiment
        self.uses = uses
    }

    init(unreadableVersions count: Int) {
        code = .unreadableVersion
        message = "\(count == 1 ? "1 minimum version of an item is" : "\(count) minimum versions of items are") not in the form 16.2"
        hint = "rules do not compare such versions; import these items again with a version in this form, or with none"
    }
}

extension MigrationFinding: JSONObjectEncodable {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("code", code)
        json.member("severity", "warning")
        json.member("message", message)
        json.member("hint", hint)
        json.member("experiment", experiment)
        json.member("sections", experiment == nil ? nil : uses)
    }
}

extension MigrationFinding.Use: JSONObjectEncodable {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", feed)
        json.member("section", section)
        json.member("revisions", revisions)
        json.member("current", isCurrent)
    }
}
