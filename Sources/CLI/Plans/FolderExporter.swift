internal import Arguments
internal import Feeds
internal import Host
internal import JSON
internal import Security
internal import Values

/// An export into an existing folder. It writes a file only if its content changes, and overwrites only content that a
/// server has too.
struct FolderExporter: Sendable {
    struct Page: Sendable {
        let file: FeedFile
        let path: String
        let old: [UInt8]?
        let text: [UInt8]

        var isSame: Bool { old == text }
        /// The document of the existing file; nil if it cannot be parsed.
        fileprivate var said: FeedDocument? {
            guard let old else { return nil }
            do throws(JSONError) { return try FeedFile(parsing: old).document } catch { return nil }
        }
    }

    let pages: [Page]

    /// Reads the folder without changing it.
    init(_ files: [FeedFile], to folder: String) throws {
        var pairs: [String] = []
        pages = try files.map { file in
            let path = Path.join(folder, file.location.name)
            // A strict JSON file keeps its name, so that no feed has two files.
            let strict = String(path.dropLast())
            let isStrict = FileStatus(following: strict) != nil
            if isStrict, FileStatus(following: path) != nil {
                pairs.append("\(strict.printable(limit: 200)) has the same feed as \(file.location.name)")
            }
            let filePath = isStrict ? strict : path
            let old = FileStatus(following: filePath) == nil ? nil : try Files.read(filePath)
            let text = file.text(in: old)
            return Page(file: file, path: filePath, old: old, text: isStrict ? try file.strict(text) : text)
        }
        guard pairs.isEmpty else {
            throw InvalidFilesError(
                lines: pairs, "two files have the same feed; no files were written", advice: "keep one file per feed", exitCode: .conflict)
        }
    }

    /// Throws if an export would overwrite a document that the server never had, which could not be recovered.
    func check(against server: AdminClient) async throws {
        var lost: [String] = []
        for page in pages where page.old != nil && !page.isSame {
            let title = page.path.printable(limit: 200)
            guard let said = page.said, said.key == page.file.document.key else {
                lost.append("\(title): the file does not have the document of \(page.file.location.name)")
                continue
            }
            let hash = Digest.sha256(said.canonical()).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            let saved = try await server.revisions(of: page.file.document.key, on: page.file.line.text)
            if !saved.contains(where: { $0.hash == hash }) { lost.append("\(title): the file has changes that the server does not have") }
        }
        guard lost.isEmpty else {
            let files = lost.count == 1 ? "a file" : "\(lost.count) files"
            throw InvalidFilesError(
                lines: lost, "the export would overwrite \(files) with changes; no files were written",
                advice: "save the changes with 'vitrine apply', or overwrite them with '--force'", exitCode: .conflict)
        }
    }

    /// Writes each file atomically.
    func write(to folder: String) throws(HostError) {
        try Files.makeDirectory(folder)
        for page in pages where !page.isSame { try Files.replace(page.path, with: page.text) }
    }
}

extension FeedFile {
    /// Returns the text, or the document as strict JSON if the text has comments or other extensions.
    fileprivate func strict(_ text: [UInt8]) throws(JSONError) -> [UInt8] {
        do throws(JSONError) {
            _ = try JSONDocument(parsing: text, limits: .feed)
            return text
        } catch { return try document.json(.pretty) + [0x0A] }
    }
}
