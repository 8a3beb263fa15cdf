package import JSON

/// The wanted state of all feeds, as given by files. It is the body of a request for a plan, and one file can contain
/// it instead of many.
package struct PlanRequest: Sendable, Equatable {
    package static let maxFiles = 200

    /// The files, each for a different feed or line.
    package let files: [FeedFile]
    /// Whether feeds without a file are archived.
    package var prunes: Bool
    /// Whether documents on the main line are published too.
    package var publishes: Bool
    /// Whether the publications may replace bases that were published for listed storefronts.
    package var replacesLocal: Bool

    package init(_ files: [FeedFile], prunes: Bool = false, publishes: Bool = false, replacesLocal: Bool = false) {
        self.files = files
        self.prunes = prunes
        self.publishes = publishes
        self.replacesLocal = replacesLocal
    }
}

extension PlanRequest: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let files = object.required("documents") { list throws(JSONReadError) in try Self.files(list) }
        prunes = object.value("prune", default: false)
        publishes = object.value("publish", default: false)
        replacesLocal = object.value("replaceLocal", default: false)
        try object.finish()
        if replacesLocal, !publishes {
            throw object.refuse(
                .invalidFormat, at: "replaceLocal", "replaceLocal is only for publications: set publish to true, or omit replaceLocal")
        }
        guard let files else { throw object.refuse(.missingKey, at: "documents", "the documents are missing or invalid") }
        self.files = files
    }

    /// Reads the files. An empty list is an error, because pruning would archive every feed.
    private static func files(_ json: JSONReader) throws(JSONReadError) -> [FeedFile] {
        guard 1...maxFiles ~= json.node.count else {
            throw json.refuse(.invalidCount, "expected 1 to \(maxFiles) documents, found \(json.node.count)")
        }
        var locations: Set<FeedFile.Location> = []
        return try json.list { element throws(JSONReadError) in
            let file = try element.decode(as: FeedFile.self)
            guard locations.insert(file.location).inserted else {
                throw element.refuse(.duplicate, "the line \(file.line) of \(file.document.key) already has a document")
            }
            return file
        }
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("documents", files)
        json.member("prune", prunes, unless: false)
        json.member("publish", publishes, unless: false)
        json.member("replaceLocal", replacesLocal, unless: false)
    }
}

extension FeedFile: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        line = object.value("line", default: .main)
        let document = object.required("document", as: FeedDocument.self)
        self.document = try document()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("line", line, unless: .main)
        json.member("document", document)
    }
}
