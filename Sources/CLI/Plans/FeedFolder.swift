internal import Arguments
internal import Feeds
internal import Host
internal import JSON
internal import Values

enum FeedFolder {
    private static let limits = JSONLimits(bytes: 4 << 20, depth: 40)

    /// Reads all files, folders and standard input. Throws all issues together.
    static func read(_ names: [String]) throws(InvalidFilesError) -> [FeedFile] {
        var found: [(name: String, files: [FeedFile])] = []
        var issues: [String] = []
        for name in names {
            let isFolder = Self.isFolder(name)
            for path in try paths(of: name) {
                let title = path == "-" ? "standard input" : path.printable(limit: 200)
                let source = try bytes(path)
                do throws(JSONError) {
                    let files = try files(in: source, named: path)
                    found.append((title, files))
                    // A file that is given directly may have any name, unless its name contains an @ and so names a line.
                    guard isFolder || Self.name(of: path).contains("@"),
                        let file = files.first(where: { $0.location != FeedFile.Location(name: Self.name(of: path)) })
                    else { continue }
                    let key = file.document.key
                    issues.append("\(title):1:1: error: the document belongs to feed '\(key)', but the file name names another feed")
                } catch {
                    issues += InvalidFilesError.lines(of: error, in: title)
                }
            }
        }
        var locations: [FeedFile.Location: String] = [:]
        for (name, files) in found {
            for file in files {
                guard let other = locations.updateValue(name, forKey: file.location) else { continue }
                issues.append("\(name):1:1: error: \(file.location.name) is also in \(other)")
            }
        }
        guard issues.isEmpty else { throw InvalidFilesError(lines: issues, advice: "correct the issues above; no changes were made") }
        return found.flatMap(\.files)
    }

    /// Returns the files of a folder that are named after a feed.
    static func places(in folder: String) throws(HostError) -> [FeedFile.Location] {
        try Files.names(in: folder).compactMap { FeedFile.Location(name: $0) }
    }

    /// Returns the path itself, or the files of a folder sorted by name. Each file of a folder must be named after a
    /// feed.
    static func paths(of argument: String) throws(InvalidFilesError) -> [String] {
        guard isFolder(argument) else { return [argument] }
        let all: [String]
        do throws(HostError) { all = try Files.names(in: argument) } catch { throw InvalidFilesError(error) }
        let names = all.filter { name in !name.hasPrefix(".") && FeedFile.suffixes.contains { name.hasSuffix($0) } }
        let strangers = names.filter { FeedFile.Location(name: $0) == nil }
        guard strangers.isEmpty else {
            throw InvalidFilesError(
                lines: strangers.map { "\(Path.join(argument, $0).printable(limit: 200)): invalid file name" },
                advice: "expected FEED.jsonc, or FEED@LINE.jsonc for a line other than main; move other files to another folder")
        }
        guard !names.isEmpty else {
            throw InvalidFilesError(
                "the folder '\(argument.printable(limit: 200))' has no feed files",
                advice: "write feed files with 'vitrine export -d DIR'", exitCode: .notFound)
        }
        return names.map { Path.join(argument, $0) }
    }

    private static func isFolder(_ argument: String) -> Bool { argument != "-" && FileStatus(following: argument)?.isDirectory == true }

    private static func bytes(_ path: String) throws(InvalidFilesError) -> [UInt8] {
        do throws(HostError) {
            return try Files.read(typed: path, limit: limits.bytes)
        } catch {
            throw InvalidFilesError(error)
        }
    }

    /// Parses one document, or a list of documents as `vitrine export -o json` writes it.
    private static func files(in source: [UInt8], named path: String) throws(JSONError) -> [FeedFile] {
        let json = try JSONDocument(parsing: source, limits: limits, notation: .commented)
        if json.root["documents"] != nil { return try json.decode(PlanRequest.self).files }
        let document = try json.decode(FeedDocument.self)
        let location = FeedFile.Location(name: name(of: path))
        return [FeedFile(line: location?.feed == document.key ? location?.line ?? .main : .main, document: document)]
    }

    private static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// Options that commands about feed files share.
enum FileOptions {
    static let files = Option(
        repeating: "file", short: "f", .file,
        "A feed file, a folder of feed files, or - for standard input.")
    static let prunes = Option(flag: "prune", "Archive the feeds without a file.")
    static let publishes = Option(flag: "publish", "Publish the documents of the line main.")
    static let replacesLocal = Option(
        flag: "replace-local", "With --publish, also replace a base that was published for some storefronts only.")

    /// Returns whether the publications may replace the bases of listed storefronts.
    static func replacesLocal(_ invocation: Invocation) throws -> Bool {
        if invocation[replacesLocal], !invocation[publishes] {
            throw invocation.usageError("missing option '--publish': '--replace-local' changes only a publication")
        }
        return invocation[replacesLocal]
    }
}
