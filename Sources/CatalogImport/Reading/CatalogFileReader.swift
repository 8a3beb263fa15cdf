package import Items
internal import JSON

/// Reads a catalog file in pieces and reports each record or its rejects.
///
/// It stores one record, the vocabulary, and 32 bytes for each item of the file. It does not read a record whose line is known,
/// but notes its names. Pieces can be split into records before the vocabulary and the known lines are available.
package struct CatalogFileReader: Sendable {
    /// The reader of the format. Exactly one of the three is set.
    private var jsonl: JSONLinesReader?
    private var csv: CSVReader?
    private var apt: AptReader?
    private let limits: FileLimits
    private let digest: @Sendable ([UInt8]) -> [UInt8]
    private var vocabulary: Vocabulary
    private var names = DuplicateNameDetector()
    /// The lines of the catalog, or nil if every record is read.
    private var knownLines: KnownLines?
    private(set) var unchangedLines: UnchangedLineReader?
    private var hasChangedWords = false
    private var hashOfRules: LineHash
    private var records = 0
    /// Whether the file has more records than its limit. Further records are not read.
    package private(set) var isTooLong = false
    package private(set) var kinds: Set<ItemKind> = []

    package init(
        _ format: FileFormat, vocabulary: Vocabulary = Vocabulary(), limits: FileLimits = FileLimits(),
        digest: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        self.limits = limits
        self.vocabulary = vocabulary
        self.digest = digest
        hashOfRules = .ofRules(vocabulary, digest: digest)
        switch format {
        case .jsonl: jsonl = JSONLinesReader(limits: limits)
        case .csv: csv = CSVReader(limits: limits)
        case .apt: apt = AptReader(limits: limits)
        }
    }

    /// Uses the vocabulary of a catalog. Call it before the first record is read.
    mutating func use(_ vocabulary: Vocabulary) {
        self.vocabulary = vocabulary
        hashOfRules = .ofRules(vocabulary, digest: digest)
    }

    /// Skips the records with these lines from now on, unless a record has changed the vocabulary.
    mutating func skip(_ lines: KnownLines?) {
        guard !hasChangedWords else { return }
        knownLines = lines
        unchangedLines = lines.map { UnchangedLineReader(snapshot: $0.snapshot, limits: limits.json, digest: digest) }
    }

    /// Whether none of the following records can be read.
    package var isRefused: Bool { isTooLong || csv?.isRefused ?? false }

    package mutating func consume(_ bytes: ArraySlice<UInt8>, _ body: (FileEvent) -> Void) {
        for record in split(bytes) { read(record, body) }
    }

    /// Ends the last record, if it has no line break.
    package mutating func end(_ body: (FileEvent) -> Void) {
        for record in split(nil) { read(record, body) }
    }

    /// A record that was split from the file and hashed.
    struct HashedRecord {
        let line: Int
        let content: Result<(json: [UInt8], hash: LineHash), Reject>

        /// The approximate size of its JSON in memory, with the header of an array.
        var bytes: Int {
            switch content {
            case .success(let (json, _)): json.count + 48
            case .failure: 0
            }
        }

        init(_ record: RawRecord, digest: ([UInt8]) -> [UInt8]) {
            line = record.line
            switch record.content {
            case .success(let json): content = .success((json, LineHash(digest: digest(json))))
            case .failure(let reject): content = .failure(reject)
            }
        }
    }

    /// Returns the records that end in a piece of the file. nil ends the last record, if it has no line break.
    mutating func split(_ bytes: ArraySlice<UInt8>?) -> [HashedRecord] {
        var records: [HashedRecord] = []
        // About as many as a piece of a file has.
        records.reserveCapacity(128)
        let digest = digest
        func add(_ record: RawRecord) { records.append(HashedRecord(record, digest: digest)) }
        if let bytes {
            jsonl?.consume(bytes, add)
            csv?.consume(bytes, add)
            apt?.consume(bytes, add)
        } else {
            jsonl?.end(add)
            csv?.end(add)
            apt?.end(add)
        }
        return records
    }

    /// Whether the file had an item of this kind and source, valid or not.
    package func contains(_ kind: ItemKind, source: String) -> Bool { names.contains(ItemIdentity.id(kind, source, digest: digest)) }

    /// Reads the next record.
    mutating func read(_ record: HashedRecord, _ body: (FileEvent) -> Void) {
        guard !isTooLong else { return }
        guard records < limits.records else {
            isTooLong = true
            let reason = "the file has more than \(limits.records) records; split the file into several files"
            return body(.rejected([reject(.tooLarge, JSONPointer(tokens: []), reason, line: record.line)]))
        }
        records += 1
        let (json, hashOfRecord): ([UInt8], LineHash)
        switch record.content {
        case .success(let content): (json, hashOfRecord) = content
        case .failure(let reject): return body(.rejected([reject]))
        }
        let hash = hashOfRules.combined(with: hashOfRecord)
        if let item = knownLines?.names(of: hash) {
            return skip(item, UnchangedLine(line: record.line, hash: hash, json: json), body)
        }
        do throws(JSONError) {
            try consume(CatalogRecord(parsing: json, limits: limits.json), json, hash, line: record.line, body)
        } catch {
            body(.rejected(rejects(error, line: record.line)))
        }
    }

    private mutating func skip(_ item: ItemNames, _ line: UnchangedLine, _ body: (FileEvent) -> Void) {
        if let twice = names.insert(item) { return body(.rejected([reject(twice: twice, line: line.line)])) }
        kinds.insert(item.kind)
        body(.unchanged(line))
    }

    private mutating func consume(
        _ record: consuming CatalogRecord, _ json: [UInt8], _ hash: LineHash, line: Int, _ body: (FileEvent) -> Void
    ) throws(JSONError) {
        let issues = vocabulary.issues(in: record)
        guard issues.isEmpty else {
            let text = try JSONDocument(parsing: json, limits: limits.json).root
            return body(
                .rejected(issues.prefix(limits.issues).map { reject($0.code, $0.pointer(in: text), $0.reason, line: line) }))
        }
        // A section of apt becomes a category only if none with its key exists, which can have a better title.
        if apt != nil, case .category(let category) = record, vocabulary.categories[category.key] != nil { return }
        if let twice = names.insert(record) { return body(.rejected([reject(twice: twice, line: line)])) }
        if vocabulary.changes(record) {
            body(.wordChanges)
            // The catalog holds its own vocabulary, but not that of this file.
            hasChangedWords = true
            knownLines = nil
        }
        vocabulary.learn(record)
        switch consume record {
        case .storefront(let storefront): body(.storefront(storefront, line: line))
        case .category(let category): body(.category(category, line: line))
        case .chart(let chart): body(.chart(chart, line: line))
        case .item(let item):
            let prepared = PreparedItem(item, from: .file(json, limits.json), line: line, hash: hash, digest: digest)
            if let twice = names.insert(prepared.names) { return body(.rejected([reject(twice: twice, line: line)])) }
            kinds.insert(item.kind)
            body(.item(prepared))
        }
    }

    private func rejects(_ error: JSONError, line: Int) -> [Reject] {
        error.issues.prefix(limits.issues).map { issue in
            let hint = issue.hint.map { "; \($0)" } ?? ""
            return reject(issue.code, issue.pointer, issue.message + hint, line: line)
        }
    }

    private func reject(twice member: String, line: Int) -> Reject {
        reject(.duplicate, JSONPointer(tokens: [member]), "an earlier record of this file has the same \(member)", line: line)
    }

    private func reject(_ code: JSONIssue.Code, _ pointer: JSONPointer, _ reason: String, line: Int) -> Reject {
        Reject(line: line, location: csv?.location(pointer) ?? .pointer(pointer.description), code: code, reason: reason)
    }
}

/// Reads the records of a JSON Lines file. Blank lines are ignored.
struct JSONLinesReader {
    private var lines: LineSplitter
    private let limit: Int

    init(limits: FileLimits) {
        limit = limits.record
        lines = LineSplitter(limit: limits.record)
    }

    mutating func consume(_ bytes: ArraySlice<UInt8>, _ body: (RawRecord) -> Void) {
        lines.consume(bytes) { number, line in Self.read(line, number, limit, body) }
    }

    mutating func end(_ body: (RawRecord) -> Void) {
        lines.end { number, line in Self.read(line, number, limit, body) }
    }

    private static func read(_ line: LineSplitter.Line, _ number: Int, _ limit: Int, _ body: (RawRecord) -> Void) {
        switch line {
        case .tooLong:
            body(RawRecord(Reject(line: number, code: .tooLarge, reason: "the line has more than \(limit) bytes")))
        case .whole(let bytes):
            // Some editors add a byte order mark to a file.
            let text = number == 1 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
            guard text.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return }
            body(RawRecord(line: number, text))
        }
    }
}
