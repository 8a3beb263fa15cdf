package import JSON
package import Values

/// The live findings of all feeds, or of a part of them.
package struct HealthReport: Sendable, Equatable {
    package let checkedAt: Timestamp
    /// The findings, errors first.
    package let findings: [LiveFinding]

    package init(checkedAt: Timestamp, findings: [LiveFinding]) {
        self.checkedAt = checkedAt
        self.findings = findings
    }
}

extension HealthReport: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("checkedAt", checkedAt.description)
        json.member("findings", findings)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        checkedAt = try object.value("checkedAt")
        findings = try object.value("findings")
    }
}
