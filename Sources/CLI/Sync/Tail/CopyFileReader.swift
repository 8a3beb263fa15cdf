internal import Host
internal import JSON
internal import Security
internal import VitrineClient

/// Reads the records of a copy's file one by one, and takes the steps of those that are whole.
struct CopyFileReader {
    private(set) var copy = LocalCopy { Digest.sha256($0) }
    /// Nil where the file does not begin as one of a copy.
    private(set) var scope: CopyScope?
    /// Whether the file ends in the middle of a record.
    private(set) var isTorn = false
    var chain = ""
    var steps = 0
    /// The lines of the record that is being read, and where it begins.
    private var record: [UInt8] = []
    private var start = 0
    /// Where a record is not what its checksum says.
    private var damage: Int?

    mutating func read(_ path: String) throws {
        let file = try Descriptor(opening: path, .read)
        var rest: [UInt8] = []
        var place = 0
        while true {
            let chunk = try file.readSome(subject: path)
            if chunk.isEmpty { break }
            rest += chunk
            var begin = 0
            while let end = rest[begin...].firstIndex(of: 0x0A) {
                place += end + 1 - begin
                try take(rest[begin...end], endingAt: place)
                begin = end + 1
            }
            rest.removeFirst(begin)
            // Whatever has no lines is not read to its end.
            if scope == nil, damage != nil || rest.count > 1 << 20 { return }
        }
        isTorn = !rest.isEmpty || !record.isEmpty || damage != nil
    }

    private mutating func take(_ line: ArraySlice<UInt8>, endingAt place: Int) throws {
        guard line.starts(with: Array("{\"end\":\"".utf8)) else {
            record += line
            return
        }
        // Something that is whole behind something that is not.
        if let damage { throw CopyFileError.damaged(at: damage) }
        let next = Digest.tag(of: Array(chain.utf8) + record)
        if line.elementsEqual("{\"end\":\"\(next)\"}\n".utf8), consumeSteps() { chain = next } else { damage = start }
        record = []
        start = place
    }

    /// False where a line is none of a copy's.
    private mutating func consumeSteps() -> Bool {
        var edits: [CopyMutation] = []
        for line in record.split(separator: 0x0A) {
            let node: JSONNode
            do throws(JSONError) { node = try JSONDocument(parsing: Array(line), limits: .ownOutput).root } catch { return false }
            if scope == nil {
                guard let header = CopyFileHeader(node) else { return false }
                scope = header.scope
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

/// Why a file cannot be used for a copy.
enum CopyFileError: Error, Equatable {
    case inUse
    /// It holds something else.
    case isNone
    case ofAnother(CopyScope)
    /// From this byte on, in front of what is whole.
    case damaged(at: Int)
}

/// What a file says of the copy in it, on its first line.
struct CopyFileHeader: JSONObjectEncodable {
    private static let format = 1

    let scope: CopyScope

    init(scope: CopyScope) { self.scope = scope }

    /// Nil of any other line, and of a format to come.
    init?(_ node: JSONNode) {
        guard node["vitrineCopy"]?.integer == Self.format, let storefront = node["storefront"]?.string, let locale = node["locale"]?.string
        else { return nil }
        scope = CopyScope(storefront: storefront, feeds: node["feeds"].map { $0.elements.compactMap(\.string) }, locale: locale)
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("vitrineCopy", Self.format)
        json.member("storefront", scope.storefront)
        json.member("feeds", scope.feeds)
        json.member("locale", scope.locale)
    }
}
