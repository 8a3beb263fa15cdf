internal import CatalogImport
internal import HTTPMessages
internal import JSON

extension Problem {
    /// Of an import that ended early. What was written before stays, and is told.
    init(_ record: ImportRecord, _ failure: String) throws(JSONError) {
        switch failure {
        case "tooManyRejects":
            self.init(
                .unprocessableContent, code: "tooManyRejects",
                detail: "More records were rejected than may be.", see: "/admin/v1/imports/\(record.id)/rejects")
        case "tooManyRefusals":
            self.init(
                .unprocessableContent, code: "tooManyRefusals",
                detail:
                    "The database refused too many records that are right in themselves.", see: "/admin/v1/imports/\(record.id)/rejects"
            )
        case "tooManyRecords":
            self.init(
                .unprocessableContent, code: "tooManyRecords",
                detail: "The file has more records than an import takes. Split it into several files.")
        case "unreadable":
            self.init(
                .unprocessableContent, code: "unreadable",
                detail: "The beginning of the file is wrong.", see: "/admin/v1/imports/\(record.id)/rejects")
        case "tooSlow": self.init(.requestTimeout, detail: "The file did not go on, or too slowly. Import it again.")
        case "tooLarge": self.init(.contentTooLarge, detail: "The file is larger than one may be. Import it in parts.")
        case "revoked": self = .tokenRefused
        case "cutShort": self.init(.badRequest, code: "cutShort", detail: "The file did not come to its end. Import it again.")
        default: self.init(.unavailable, detail: "The import was given up. Import the file again.")
        }
        members = [Extension(name: "import", json: try record.json())]
    }
}
