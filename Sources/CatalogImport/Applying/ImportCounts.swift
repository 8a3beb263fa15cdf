package import JSON

/// The numbers of records that an import has changed, or would change in a dry run.
package struct ImportCounts: Sendable, Equatable {
    package var new = 0
    package var changed = 0
    package var unchanged = 0
    package var rejected = 0
    package var withdrawn = 0

    package init() {}

    package var records: Int { new + changed + unchanged + rejected }
}

extension ImportCounts {
    static func += (counts: inout ImportCounts, more: ImportCounts) {
        counts.new += more.new
        counts.changed += more.changed
        counts.unchanged += more.unchanged
        counts.rejected += more.rejected
        counts.withdrawn += more.withdrawn
    }
}

extension ImportCounts: JSONEncodable, JSONDecodable {
    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("added", new)
            $0.member("updated", changed)
            $0.member("unchanged", unchanged)
            $0.member("rejected", rejected)
            $0.member("withdrawn", withdrawn)
        }
    }

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        new = object.value("added", default: 0)
        changed = object.value("updated", default: 0)
        unchanged = object.value("unchanged", default: 0)
        rejected = object.value("rejected", default: 0)
        withdrawn = object.value("withdrawn", default: 0)
        try object.finish()
    }
}
