import Foundation
import HTTP
import Host

/// Vitrine and two nginx servers with the same pages and the same certificate, all on the first core.
struct HTTPContest {
    /// The name of the suite.
    let name: String
    let folder: String
    let vitrine: MeasuredServer
    /// nginx with and without `open_file_cache`.
    let peers: [MeasuredServer]

    /// Runs a body while all servers run.
    static func run<Result>(_ body: (HTTPContest) throws -> Result) throws -> Result {
        try MemoryFolder.run { folder in
            for size in ServedPages.sizes {
                try Data(ServedPages.bytes(size)).write(to: URL(fileURLWithPath: "\(folder)/v1/us/feeds/\(size)k"))
            }
            let certificate = try Certificate(in: folder)
            let own = try Path.resolved("/proc/self/exe")
            let plain = try PinnedProcess(own, ["serve"], output: "\(folder)/plain")
            defer { plain.kill() }
            let encrypted = try PinnedProcess(own, ["serve", certificate.chain, certificate.key], output: "\(folder)/encrypted")
            defer { encrypted.kill() }
            let ports = try (plain: plain.port(), encrypted: encrypted.port())
            let vitrine = MeasuredServer(name: "vitrine", ports: ports, processes: (plain.id, encrypted.id))
            return try run("http", vitrine, in: folder, certificate, body)
        }
    }

    /// Runs a body while both nginx servers serve the files of the folder with some header fields.
    static func run<Result>(
        _ name: String, _ vitrine: MeasuredServer, in folder: String, _ certificate: Certificate,
        fields: [(name: String, value: String)] = [], _ body: (HTTPContest) throws -> Result
    ) throws -> Result {
        let cached = try Nginx(in: folder, certificate, fields: fields, keepsFilesOpen: true)
        defer { cached.process.kill() }
        let uncached = try Nginx(in: folder, certificate, fields: fields, keepsFilesOpen: false)
        defer { uncached.process.kill() }
        for nginx in [cached, uncached] { try nginx.waitUntilListening() }
        return try body(HTTPContest(name: name, folder: folder, vitrine: vitrine, peers: [cached.measured, uncached.measured]))
    }
}
