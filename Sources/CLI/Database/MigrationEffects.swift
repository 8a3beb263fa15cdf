internal import Feeds
internal import JSON
import Postgres

/// The effects of one migration on the content of a database. A list is nil if the migration does not make its elements.
struct MigrationEffects: Sendable {
    let id: MigrationID
    var took: Duration = .zero
    /// The changed rows, sorted by table.
    let rows: [ChangedRows]
    var orders: Orders?
    var images: [Images]?
    var platforms: [Platform]?
    var labels: [Label]?
    var experiments: [RegisteredExperiment]?

    init(_ id: MigrationID, rows: [ChangedRows]) {
        self.id = id
        self.rows = rows
    }

    /// The numbers of rows of a table that a migration wrote. The rows of a table that it rewrote as a whole do not count.
    struct ChangedRows: Sendable, Equatable {
        let table: String
        let inserted: Int
        let updated: Int
        let deleted: Int
    }

    /// The orders that publications become.
    struct Orders: Sendable, Equatable {
        let count: Int
        let canceled: Int
        let spans: [Spans]
    }

    /// The number of spans in a storefront.
    struct Spans: Sendable, Equatable {
        let storefront: String
        let count: Int
    }

    /// The number of images in a role.
    struct Images: Sendable, Equatable {
        let role: String
        let count: Int
    }

    /// The number of items that a migration copies to a platform, and how many of them have a minimum version.
    struct Platform: Sendable, Equatable {
        let name: String
        let items: Int
        let versions: Int
    }

    /// The number of items that get a label of a rating scheme.
    struct Label: Sendable, Equatable {
        let scheme: String
        let label: String
        let items: Int
    }
}

extension MigrationEffects: JSONObjectEncodable {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("number", id.number)
        json.member("name", id.name)
        json.member("tookMilliseconds", took / .milliseconds(1))
        json.member("tables", rows)
        json.member("orders", orders)
        json.member("images", images)
        json.member("platforms", platforms)
        json.member("ageRatings", labels)
        json.member("experiments", experiments)
    }
}

extension MigrationEffects.ChangedRows: JSONObjectEncodable {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("table", table)
        json.member("insertedCount", inserted)
        json.member("updatedCount", updated)
        json.member("deletedCount", deleted)
    }
}

extension MigrationEffects.Orders: JSONObjectEncodable {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("orderCount", count)
        json.member("canceledCount", canceled)
        json.member("storefronts", spans)
    }
}

extension MigrationEffects.Spans: JSONObjectEncodable {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("storefront", storefront)
        json.member("spanCount", count)
    }
}

extension MigrationEffects.Images: JSONObjectEncodable {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("role", role)
        json.member("imageCount", count)
    }
}

extension MigrationEffects.Platform: JSONObjectEncodable {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("platform", name)
        json.member("itemCount", items)
        json.member("versionCount", versions)
    }
}

extension MigrationEffects.Label: JSONObjectEncodable {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("scheme", scheme)
        json.member("label", label)
        json.member("itemCount", items)
    }
}
