package import Feeds
package import JSON
package import Values

/// An import in the import log, with its progress or its outcome.
package struct ImportRecord: Sendable, Equatable {
    package enum State: String, CaseIterable, Sendable, JSONDecodable {
        case running, succeeded
        /// The import ended early. The records that were already written stay.
        case failed
        /// The process of the import died.
        case interrupted
    }

    package let id: Int
    /// The token, or nil if a command connects to the database directly.
    package let token: UUID?
    package let actor: String
    package let startedAt: Timestamp
    package let endedAt: Timestamp?
    package let state: State
    package let failure: String?
    package let isDryRun: Bool
    package let bytesRead: Int
    package let counts: ImportCounts
    /// The SHA-256 of the file in hexadecimal, if the import is complete.
    package let hash: String?
    /// The reason why missing items were not withdrawn. The importer reports it, but the log does not store it.
    package var pruneSkipped: ImportReport.PruneSkipped?
    /// The takeovers without a span in a storefront that the import added. The log does not store them.
    package var findings: [ReviewFinding] = []
}

extension ImportRecord: JSONEncodable, JSONDecodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("state", state.rawValue)
            json.member("failureCode", failure)
            json.member("dryRun", isDryRun)
            json.member("actor") { json in
                json.member("name", actor)
                json.member("tokenId", token?.description)
            }
            json.member("startedAt", startedAt.description)
            json.member("endedAt", endedAt?.description)
            json.member("bytesRead", bytesRead)
            json.member("counts", counts)
            json.member("fileHash", hash)
            if let pruneSkipped { json.member("pruneSkipped", pruneSkipped) }
            json.member("findings", findings, unless: [])
        }
    }

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let id = object.required("id", as: Int.self)
        let state = object.required("state", as: State.self)
        failure = object.optional("failureCode")
        isDryRun = object.value("dryRun", default: false)
        let actor = object.optional("actor", as: NamedActor.self)
        let startedAt = object.required("startedAt", as: Timestamp.self)
        endedAt = object.optional("endedAt")
        bytesRead = object.value("bytesRead", default: 0)
        let counts = object.required("counts", as: ImportCounts.self)
        hash = object.optional("fileHash")
        pruneSkipped = object.optional("pruneSkipped")
        findings = object.value("findings", default: [])
        try object.finish()
        (self.actor, token) = (actor?.name ?? "", actor?.token)
        self.id = try id()
        self.state = try state()
        self.startedAt = try startedAt()
        self.counts = try counts()
    }

    private struct NamedActor: JSONDecodable {
        let name: String
        let token: UUID?

        init(from json: JSONReader) throws(JSONReadError) {
            var object = try json.object()
            let name = object.required("name", as: String.self)
            token = object.optional("tokenId")
            try object.finish()
            self.name = try name()
        }
    }
}
