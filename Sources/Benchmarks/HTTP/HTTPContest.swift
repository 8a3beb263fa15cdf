import Foundation
import HTTP
import Host

/// Vitrine and nginx with the same pages and the same certificate, all on the first core.
struct HTTPContest {
    /// The name of the suite.
    let name: String
    let folder: String
    let vitrine: MeasuredServer
    /// nginx with `open_file_cache`, and then without it unless the rows are detailed.
    let peers: [MeasuredServer]
    /// Whether the rows show where the time is spent.
    let isDetailed: Bool

    /// Runs a body while all servers run, with generated pages of several sizes.
    static func run<Result>(_ body: (HTTPContest) throws -> Result) throws -> Result {
        try MemoryFolder.run { folder in
            for size in ServedPages.sizes {
                try Data(ServedPages.bytes(size)).write(to: URL(fileURLWithPath: "\(folder)/v1/us/feeds/\(size)k"))
            }
            let server = try PinnedProcess(Path.resolved("/proc/self/exe"), ["serve"], output: "\(folder)/plain")
            defer { server.kill() }
            let vitrine = MeasuredServer(name: "vitrine", port: try server.port(), process: server.id)
            return try run("http", vitrine, in: folder, try Certificate(in: folder), body)
        }
    }

    /// Runs a body while nginx serves the files of the folder with some header fields.
    static func run<Result>(
        _ name: String, _ vitrine: MeasuredServer, in folder: String, _ certificate: Certificate,
        fields: [(name: String, value: String)] = [], isDetailed: Bool = false, _ body: (HTTPContest) throws -> Result
    ) throws -> Result {
        var peers: [Nginx] = []
        defer { for nginx in peers { nginx.process.kill() } }
        for keepsFilesOpen in isDetailed ? [true] : [true, false] {
            peers.append(try Nginx(in: folder, certificate, fields: fields, keepsFilesOpen: keepsFilesOpen))
        }
        for nginx in peers { try nginx.waitUntilListening() }
        return try body(
            HTTPContest(name: name, folder: folder, vitrine: vitrine, peers: peers.map(\.measured), isDetailed: isDetailed))
    }
}
