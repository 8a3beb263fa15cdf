internal import Access
internal import CatalogImport
internal import HTTP
internal import HTTPMessages

struct ImportRequest: Sendable {
    private let parameters: QueryParameters
    private let options: ImportOptions
    private let chunkSize: Int
    let waitsForIndexing: Bool

    init(_ context: RequestContext) {
        var parameters = QueryParameters(
            context.head.target.query,
            known: ["dryRun", "atomic", "prune", "maxWithdrawnPercent", "chunkSize", "maxRejects", "waitForIndexing"])
        var options = ImportOptions()
        options.isDryRun = parameters.bool("dryRun") ?? false
        options.isAtomic = parameters.bool("atomic") ?? false
        options.prunes = parameters.bool("prune") ?? false
        options.maxWithdrawnPercent = parameters.integer("maxWithdrawnPercent", in: 0...100) ?? options.maxWithdrawnPercent
        options.maxRejects = parameters.integer("maxRejects", in: 0...ImportLog.maxRejects) ?? options.maxRejects
        // The end of an upload is not known in advance.
        options.closesEmptyCatalog = false
        chunkSize = parameters.integer("chunkSize", in: 1...10_000) ?? 1_000
        waitsForIndexing = parameters.bool("waitForIndexing") ?? false
        self.options = options
        self.parameters = parameters
    }

    /// The time in which a file must be received and written. An atomic import blocks other writers until it ends, so
    /// its timeout is shorter.
    var timeout: Duration { options.isDryRun || options.isAtomic ? .seconds(120) : .seconds(3_600) }

    /// Throws the problem of an invalid request. It is called after the token is authenticated.
    func order(of curator: Principal, _ context: RequestContext) throws(Problem) -> ImportRun.Order {
        try parameters.finish()
        if context.head.fields.contains("idempotency-key") {
            throw Problem(
                .badRequest, code: "idempotencyKeyNotAllowed",
                detail: "Imports do not accept an Idempotency-Key. Remove the header: a repeated import writes only differences.")
        }
        var order = ImportRun.Order()
        order.format = try format(context)
        order.options = options
        order.chunkSize = chunkSize
        order.curator = curator
        order.request = context.id.text
        order.keepsRejects = true
        return order
    }

    private func format(_ context: RequestContext) throws(Problem) -> FileFormat {
        guard let field = context.head.fields[.contentType] else { return .jsonl }
        let parts = field.prefix { $0 != ";" }.split(separator: " ")
        guard let word = parts.first, parts.count == 1, let format = FileFormat(mediaType: word.lowercased()) else {
            let types = FileFormat.allCases.map(\.mediaType).joined(separator: ", ")
            throw Problem(
                .unsupportedMediaType,
                detail: "The Content-Type is not supported. Use one of \(types). The first is the default.")
        }
        return format
    }
}

extension FileFormat {
    /// The Content-Type of an upload.
    package var mediaType: String {
        switch self {
        case .jsonl: "application/jsonl"
        case .csv: "text/csv"
        case .apt: "application/vnd.vitrine.apt"
        }
    }

    fileprivate init?(mediaType: String) {
        let other: FileFormat? = ["application/x-ndjson", "application/json-lines"].contains(mediaType) ? .jsonl : nil
        guard let format = Self.allCases.first(where: { $0.mediaType == mediaType }) ?? other else { return nil }
        self = format
    }
}
