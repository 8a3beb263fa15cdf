internal import Host
internal import JSON
internal import Security
internal import VitrineClient

/// A reader of a journal file. It reads the records one by one, and applies the steps of valid ones.
struct CopyFileReader {
    private(set) var copy = LocalCopy { Digest.sha256($0) }
    /// The sync scope; nil if the file is not the journal of a local copy.
    private(set) var scope: CopyScope?
    /// Whether the file has an older format.
    private(set) var isOutdated = false
    /// Whether the file ends in the middle of a record.
    private(set) var isTorn = false
    var chain = ""
    var steps = 0
    /// The lines of the current record.
    private var record: [UInt8] = []
    private var start = 0
    /// The offset of a record with a wrong checksum.
    private var damage: Int?

    mutating func read(_ path: String) throws {
        let file = try Descriptor(opening: path, .read)
        var rest: [UInt8] = []
        var position = 0
        while true {
            let chunk = try file.readSome(subject: path)
            if chunk.isEmpty { break }
            rest += chunk
            var start = 0
            while let end = rest[start...].firstIndex(of: 0x0A) {
                position += end + 1 - start
                try consume(rest[start...end], endingAt: position)
                start = end + 1
            }
            rest.removeFirst(start)
            // A file that is not a journal is not read to its end.
            if scope == nil, damage != nil || rest.count > 1 << 20 { return }
        }
        isTorn = !rest.isEmpty || !record.isEmpty || damage != nil
    }

    private mutating func consume(_ line: ArraySlice<UInt8>, endingAt position: Int) throws {
        guard line.starts(with: Array("{\"end\":\"".utf8)) else {
            record += line
            return
        }
        // A valid record follows a damaged one.
        if let damage { throw CopyFileError.damaged(at: damage) }
        let next = Digest.tag(of: Array(chain.utf8) + record)
        if line.elementsEqual("{\"end\":\"\(next)\"}\n".utf8), consumeSteps() { chain = next } else { damage = start }
        record = []
        start = position
    }

    /// Applies the steps of the record. Returns false if a line is not a journal line.
    private mutating func consumeSteps() -> Bool {
        var edits: [CopyMutation] = []
        for line in record.split(separator: 0x0A) {
            let node: JSONNode
            do throws(JSONError) { node = try JSONDocument(parsing: Array(line), limits: .ownOutput).root } catch { return false }
            if scope == nil {
                guard let header = CopyFileHeader(node) else { return false }
                (scope, isOutdated) = (header.scope, header.isOutdated)
            } else {
                guard let step = JournalRecord(node) else { return false }
                edits.append(step.edit)
            }
        }
        for edit in edits { copy.apply(edit) }
        steps += edits.count
        return true
    }
}

/// The reason that a file cannot be used for a local copy.
enum CopyFileError: Error, Equatable {
    case inUse
    /// The file has other content.
    case isNone
    case ofAnother(CopyScope)
    /// The file is damaged from this byte on, before valid records.
    case damaged(at: Int)
}

/// The header of the file, on its first line, with the sync scope of the local copy.
struct CopyFileHeader: JSONObjectEncodable {
    private static let format = 2

    let scope: CopyScope
    let isOutdated: Bool

    init(scope: CopyScope) { (self.scope, isOutdated) = (scope, false) }

    /// Returns nil if the line is not a header, or has a newer format.
    init?(_ node: JSONNode) {
        guard let format = node["vitrineCopy"]?.integer, 1...Self.format ~= format, let storefront = node["storefront"]?.string,
            let locale = node["locale"]?.string
        else { return nil }
        isOutdated = format < Self.format
        scope = CopyScope(
            storefront: storefront, feeds: node["feeds"].map { $0.elements.compactMap(\.string) },
            hasLists: node["lists"]?.bool ?? false, locale: locale)
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("vitrineCopy", Self.format)
        json.member("storefront", scope.storefront)
        json.member("feeds", scope.feeds)
        json.member("lists", scope.hasLists, unless: false)
        json.member("locale", scope.locale)
    }
}
