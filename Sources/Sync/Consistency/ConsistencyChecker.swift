internal import Feeds
package import Postgres
package import Publishing
internal import Values

/// A consistency check of all published documents with their sources, slice by slice. Marks mismatches so that the
/// sequencer publishes them again.
///
/// Each slice reads one snapshot and skips changes that wait in the outbox, so a late publication is not a finding.
package struct ConsistencyChecker {
    package enum Finding: Sendable, Hashable {
        case document(DocumentMismatch)
        /// The published values of a storefront, by which clients receive all documents.
        case storefront(String, DocumentMismatch.Reason)
        case bucket(ConsistencyReport.BucketMismatch)
    }

    /// The timeout of one statement.
    package static let statementTimeout = Duration.seconds(120)

    /// The timeout of the comparison of one storefront.
    package static let transactionTimeout = Duration.seconds(3_600)

    /// The amounts that are compared in one snapshot and repaired by one statement.
    package struct Limits: Sendable {
        package var items: Int32 = 2_000
        package var buckets = 1_024
        package var maxRepairs = 1_000
        /// The number of attempts at the feeds of a storefront that keep changing.
        package var attempts = 100

        package init() {}
    }

    private let sequencer: Sequencer
    private let session: PostgresSession
    private let isDry: Bool
    private let limits: Limits
    private let pause: () async throws -> Void
    private let found: (Finding) throws -> Void
    private let proceed: (ConsistencyReport) -> Void
    private var report = ConsistencyReport()

    /// Creates a checker.
    ///
    /// A dry run changes nothing. `pause` waits a tenth of a second. `found` is called immediately for each finding,
    /// and the progress is reported after each slice.
    package init(
        _ sequencer: Sequencer, _ session: PostgresSession, isDry: Bool, limits: Limits = Limits(),
        pause: @escaping () async throws -> Void, found: @escaping (Finding) throws -> Void = { _ in },
        proceed: @escaping (ConsistencyReport) -> Void = { _ in }
    ) {
        self.sequencer = sequencer
        self.session = session
        self.isDry = isDry
        self.limits = limits
        self.pause = pause
        self.found = found
        self.proceed = proceed
    }

    package mutating func run() async throws -> ConsistencyReport {
        // First, because items marked for repair are published while the feeds are composed.
        for storefront in try await session.rows(of: PostgresQuery(AuditQueries.storefronts), as: String.self) {
            try await compareFeeds(of: storefront)
            proceed(report)
        }
        var next: UUID? = UUID(high: 0, low: 0)
        while let start = next {
            next = try await compareItems(from: start)
            proceed(report)
        }
        for start in stride(from: 0, to: 1 << SyncDigests.maxBits, by: limits.buckets) {
            try await compareBuckets(from: start)
            proceed(report)
        }
        // Last, because a repaired bucket changes the sum as well.
        try await compareSums()
        proceed(report)
        return report
    }

    // MARK: Feeds

    /// Compares the feeds twice if they differ, because the sequencer may be about to publish a change that just became
    /// due.
    private mutating func compareFeeds(of storefront: String) async throws {
        guard var audit = try await settled(storefront) else { return report.late.append(storefront) }
        if !audit.differences.isEmpty || audit.storefrontFlaw != nil {
            for _ in 0..<3 { try await pause() }
            guard let again = try await settled(storefront) else { return report.late.append(storefront) }
            audit.differences.formIntersection(again.differences)
            if again.storefrontFlaw == nil { audit.storefrontFlaw = nil }
        }
        if audit.comparesStorefront { report[.storefronts].compared += 1 }
        if let flaw = audit.storefrontFlaw {
            report[.storefronts].differences += 1
            try found(.storefront(storefront, flaw))
            try await requestRepublication("doubtedPart", [storefront])
        }
        report[.feeds].compared += audit.compared
        report.unreadable = max(report.unreadable, audit.unreadable)
        // All storefronts share layouts, so the same mismatch appears in each.
        let differences = audit.differences.filter { $0.kind != .layout || reportedLayouts.insert($0.id).inserted }
        report[.feeds].differences += differences.count
        for difference in differences.sorted(by: { ($0.kind, $0.id) < ($1.kind, $1.id) }) { try found(.document(difference)) }
        try await requestRepublication("doubtedLayout", differences.filter { $0.kind == .layout }.map(\.id))
        try await requestRepublication("doubtedPart", Set(differences.compactMap { $0.feed.map { "\(storefront)/\($0)" } }).sorted())
    }

    private var reportedLayouts: Set<String> = []

    /// Returns the check of a storefront's feeds, or nil if changes waited in the outbox at each attempt.
    private func settled(_ storefront: String) async throws -> FeedConsistencyCheck? {
        for _ in 0..<limits.attempts {
            if let audit = try await sequencer.audit(storefront, session) { return audit }
            try await pause()
        }
        return nil
    }

    private func requestRepublication(_ kind: String, _ keys: [String]) async throws {
        guard !isDry else { return }
        for keys in keys.chunks(of: limits.maxRepairs) {
            try await session.run(PostgresQuery(AuditQueries.republishKeys, kind, Array(keys)))
        }
    }

    // MARK: Items

    /// Returns the start of the next slice, or nil at the end.
    private mutating func compareItems(from start: UUID) async throws -> UUID? {
        let rows = try await session.rows(
            of: PostgresQuery(AuditQueries.items, start, limits.items), as: UUID?.self, Int.self, Int.self, String?.self, String?.self,
            String?.self, String?.self)
        guard let (next, items, memberships, _, _, _, _) = rows.first else { return nil }
        report[.items].compared += items
        report[.memberships].compared += memberships
        var republished: Set<UUID> = []
        for (_, _, _, kind, id, storefront, flaw) in rows {
            guard let kind = kind.flatMap({ PublishedKind(rawValue: $0) }), let id, let storefront,
                let flaw = flaw.flatMap({ DocumentMismatch.Reason(rawValue: $0) }),
                let item = id.split(separator: "/").last.flatMap({ UUID(String($0)) })
            else { continue }
            report[kind == .item ? .items : .memberships].differences += 1
            republished.insert(item)
            try found(.document(DocumentMismatch(kind: kind, id: id, storefront: storefront, flaw: flaw)))
        }
        if !isDry {
            for ids in republished.sorted().chunks(of: limits.maxRepairs) {
                try await session.run(PostgresQuery(AuditQueries.republishItems, Array(ids)))
            }
        }
        return next
    }

    // MARK: Buckets

    private mutating func compareBuckets(from start: Int) async throws {
        let rows = try await session.rows(
            of:
                PostgresQuery(AuditQueries.buckets, Int32(start), Int32(min(start + limits.buckets, 1 << SyncDigests.maxBits))),
            as: Int.self, [String].self, [Int32].self)
        guard let (compared, storefronts, buckets) = rows.first else { return }
        report[.buckets].compared += compared
        report[.buckets].differences += buckets.count
        let wrong = Array(zip(storefronts, buckets))
        for (storefront, bucket) in wrong { try found(.bucket(.init(storefront: storefront, bucket: Int(bucket)))) }
        guard !isDry else { return }
        for some in wrong.chunks(of: limits.maxRepairs) {
            try await session.run(PostgresQuery(AuditQueries.settleBuckets, some.map(\.0), some.map(\.1)))
        }
    }

    /// Compares the digest of each catalog with its buckets.
    private mutating func compareSums() async throws {
        let rows = try await session.rows(of: PostgresQuery(AuditQueries.catalogs), as: Int.self, [String].self)
        guard let (compared, storefronts) = rows.first else { return }
        report[.buckets].compared += compared
        report[.buckets].differences += storefronts.count
        for storefront in storefronts { try found(.bucket(.init(storefront: storefront, bucket: nil))) }
        guard !isDry, !storefronts.isEmpty else { return }
        try await session.run(PostgresQuery(AuditQueries.settleCatalogs, storefronts))
    }
}

extension ConsistencyChecker.Finding: CustomStringConvertible {
    /// The finding as a sentence without its final period.
    package var description: String {
        switch self {
        case .document(let difference):
            let suffix = difference.storefront == "*" ? "" : " in \(difference.storefront)"
            return "\(difference.kind.rawValue) \(difference.id)\(suffix) \(difference.flaw.clause)"
        case .storefront(let key, let flaw):
            return "storefront \(key) \(flaw.clause)"
        case .bucket(let wrong):
            let suffix = wrong.storefront == "*" ? "" : " of \(wrong.storefront)"
            guard let bucket = wrong.bucket else { return "catalog digest\(suffix) does not match its digest buckets" }
            return "digest bucket \(bucket)\(suffix) does not match its entities"
        }
    }
}

extension DocumentMismatch.Reason {
    fileprivate var clause: String {
        switch self {
        case .missing: "is missing"
        case .surplus: "should not exist"
        case .other: "differs from its sources"
        case .damaged: "does not match its hash"
        }
    }
}

enum AuditQueries {
    static let storefronts = NamedQuery("audit.storefronts")
    static let items = NamedQuery("audit.items")
    static let buckets = NamedQuery("audit.buckets")
    static let settleBuckets = NamedQuery("audit.settle_buckets")
    static let catalogs = NamedQuery("audit.catalogs")
    static let settleCatalogs = NamedQuery("audit.settle_catalogs")
    static let republishItems = NamedQuery("audit.republish_items")
    static let republishKeys = NamedQuery("audit.republish_keys")
}
