import Host
import Security
import TestSupport
import Testing
import VitrineClient

@testable import CLI

@Suite("The journal of a local copy")
struct CopyJournalTests {
    private let folder: TemporaryFolder
    private let scope = CopyScope(storefront: "us", feeds: ["b", "a"], locale: "en")

    init() throws { folder = try TemporaryFolder("copy") }

    private func state(_ copy: LocalCopy) -> String {
        let entries = copy.entries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.version) \($0.value.content?.hash ?? "-")" }
        return "\(copy.cursor ?? "-") \(copy.version) \(copy.isLoading) \(copy.needsRepair) \(copy.digest) \(entries)"
    }

    private func edits(_ number: Int, _ random: inout SeededRandom) -> [CopyMutation] {
        let puts = (0..<Int.random(in: 1...4, using: &random)).map { index -> CopyMutation in
            let key = EntityKey(kind: "item", id: "i\(Int.random(in: 0..<9, using: &random)) \"\\\n")
            let content = Bool.random(using: &random) ? CopyContent(hash: "h\(number)", data: Array("{\"title\":\"\(number)\"}".utf8)) : nil
            return Bool.random(using: &random) ? .save(key, version: number * 10 + index, content) : .repair(key, version: number, content)
        }
        let last: CopyMutation = [.cap(number * 5), .startLoad, .endLoad, .distrust, .trust].randomElement(using: &random) ?? .trust
        return puts + [last, .move(cursor: "c\(number)", version: number * 10)]
    }

    /// Opens a journal. A process that another test starts may still hold the file for a short time.
    private static func opened(_ path: String, _ scope: CopyScope) throws -> (file: CopyJournal, copy: LocalCopy) {
        let end = ContinuousClock.now + .seconds(20)
        while true {
            do { return try CopyJournal.open(path, scope) } catch CopyFileError.inUse where ContinuousClock.now < end {
                _ = Signal.next(of: [], within: .milliseconds(5))
            }
        }
    }

    /// Appends the given number of responses, and returns the state of the copy after each.
    private func keep(_ count: Int, in path: String, _ random: inout SeededRandom) throws -> [String] {
        var (file, copy) = try Self.opened(path, scope)
        var states = [state(copy)]
        for number in 1...count {
            let edits = edits(number, &random)
            for edit in edits { copy.apply(edit) }
            try file.append(edits, of: copy)
            states.append(state(copy))
        }
        return states
    }

    @Test("A journal that was cut during a write restores the last complete state")
    func cuts() throws {
        var random = SeededRandom(seed: 5)
        let states = try keep(12, in: "\(folder.path)/whole", &random)
        let bytes = try Files.read("\(folder.path)/whole")
        var found: [Int] = []
        for count in stride(from: 120, through: bytes.count, by: 7) {
            let path = "\(folder.path)/\(count)"
            try Descriptor(opening: path, .create).write(Array(bytes[..<count]), subject: path)
            let copy = try Self.opened(path, scope).copy
            found.append(try #require(states.lastIndex(of: state(copy)), "cut at \(count)"))
            #expect(try state(Self.opened(path, scope).copy) == state(copy))
        }
        #expect(found == found.sorted() && Set(found).count > 10)
        #expect(try state(Self.opened("\(folder.path)/whole", scope).copy) == states.last)
    }

    @Test("A damaged byte before the last record is detected")
    func damage() throws {
        var random = SeededRandom(seed: 6)
        let states = try keep(6, in: "\(folder.path)/whole", &random)
        let bytes = try Files.read("\(folder.path)/whole")
        for index in stride(from: 3, to: bytes.count - 1, by: 11) {
            var damaged = bytes
            damaged[index] ^= 4
            let path = "\(folder.path)/\(index)"
            try Descriptor(opening: path, .create).write(damaged, subject: path)
            do { #expect(states.contains(state(try Self.opened(path, scope).copy))) } catch is CopyFileError {}
        }
    }

    @Test("Repeated writes are compacted without changing the state")
    func compaction() throws {
        var random = SeededRandom(seed: 7)
        let path = "\(folder.path)/long"
        let states = try keep(4_000, in: path, &random)
        #expect(try #require(FileStatus(following: path)).size < 1_500_000)
        #expect(try state(Self.opened(path, scope).copy) == states.last)
    }

    @Test("A journal of format 1 is read whole and written again, and one of another scope is left unchanged")
    func outdated() throws {
        let path = "\(folder.path)/old"
        var random = SeededRandom(seed: 8)
        let states = try keep(30, in: path, &random)
        // Each record ends with a checksum of all lines so far.
        var (chain, record, old) = ("", [UInt8](), [UInt8]())
        for line in String(decoding: try Files.read(path), as: UTF8.self).split(separator: "\n") {
            guard line.hasPrefix(#"{"end":""#) else {
                record += Array("\(Self.inFirstFormat(line))\n".utf8)
                continue
            }
            chain = Digest.tag(of: Array(chain.utf8) + record)
            old += record + Array("{\"end\":\"\(chain)\"}\n".utf8)
            record = []
        }
        try #require(String(decoding: old, as: UTF8.self).contains(#"{"put":"#))
        try Descriptor(opening: path, .replace).write(old, subject: path)
        #expect(throws: CopyFileError.ofAnother(scope)) { try Self.opened(path, CopyScope(storefront: "us", locale: "en")) }
        #expect(try Files.read(path) == old)
        #expect(try state(Self.opened(path, scope).copy) == states.last)
        #expect(try String(decoding: Files.read(path), as: UTF8.self).hasPrefix(#"{"vitrineCopy":2"#))
        #expect(try state(Self.opened(path, scope).copy) == states.last)
    }

    private static func inFirstFormat(_ line: Substring) -> String {
        let words = [
            #"{"vitrineCopy":2"#: #"{"vitrineCopy":1"#, #"{"save":"#: #"{"put":"#, #"{"repair":"#: #"{"mend":"#,
            #"{"load":"start""#: #"{"load":"begin""#, #"{"distrusted":"#: #"{"doubt":"#,
        ]
        guard let (word, old) = words.first(where: { line.hasPrefix($0.key) }) else { return String(line) }
        return old + line.dropFirst(word.count)
    }

    @Test("Only one process at a time can open a journal, and one of another scope is left unchanged")
    func ownership() throws {
        let path = "\(folder.path)/own"
        let first = try Self.opened(path, scope)
        #expect(throws: CopyFileError.inUse) { try CopyJournal.open(path, scope) }
        withExtendedLifetime(first) {}
        let other = CopyScope(storefront: "us", locale: "en")
        _ = try Self.opened("\(folder.path)/other", other)
        #expect(throws: CopyFileError.ofAnother(other)) { try Self.opened("\(folder.path)/other", scope) }
    }
}
