package import Items
internal import JSON
package import Postgres

extension RatingSchemes {
    /// Reads the column of a query. The database creates it, so it has no other form.
    package init(reading column: JSONBytes) {
        do throws(JSONError) { self = try RatingSchemes(parsing: column.bytes) } catch { self.init() }
    }
}
