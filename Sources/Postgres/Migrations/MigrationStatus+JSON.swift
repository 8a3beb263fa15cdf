package import JSON
internal import Values

extension MigrationStatus: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("isCurrent", isCurrent)
            json.key("migrations")
            json.array { json in
                for row in rows { row.encode(to: &json) }
            }
            json.member("refusal", refusal?.reasons)
        }
    }
}

extension MigrationStatus.Row {
    fileprivate func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("number", id.number)
            $0.member("name", id.name)
            $0.member("state", state.rawValue)
            $0.member("appliedAt", recorded?.appliedAt.description)
            $0.member("tookMilliseconds", recorded.map { $0.took / .milliseconds(1) })
        }
    }
}
