import Foundation
internal import Postgres
import Settings

/// `vitrine serve` on the first core, once without and once with TLS.
struct PinnedVitrine {
    let plain: VitrineServer
    let encrypted: VitrineServer

    /// Runs a body while both servers show the feeds of a database.
    static func run<Result>(
        _ url: DatabaseURL, in folder: String, _ certificate: Certificate, _ body: (PinnedVitrine) throws -> Result
    ) throws -> Result {
        let plain = try VitrineServer(name: "pinned", in: folder, core: 0, database: url.exposed)
        defer { plain.kill() }
        let encrypted = try VitrineServer(name: "pinned-tls", in: folder, core: 0, certificate: certificate, database: url.exposed)
        defer { encrypted.kill() }
        for server in [plain, encrypted] { try server.waitUntilReady() }
        return try body(PinnedVitrine(plain: plain, encrypted: encrypted))
    }

    var measured: MeasuredServer {
        MeasuredServer(name: "vitrine", ports: (plain.port, encrypted.port), processes: (plain.id, encrypted.id))
    }
}

extension VitrineServer {
    /// Returns the response to a request that accepts brotli, after it is thoroughly compressed.
    func thoroughResponse(_ path: String, _ headers: [String], in folder: String) throws -> ServedResponse {
        for _ in 0..<600 {
            let response = try ServedResponse.get(url(path), headers, isHTTP2: false, in: folder)
            if response.status == 200, let tag = response.fields["etag"], tag.hasSuffix("-br\"") { return response }
            usleep(100_000)
        }
        throw BenchmarkFailure(
            reason: "no page with full compression at \(url(path)): \(try String(contentsOfFile: log, encoding: .utf8).suffix(2_000))")
    }
}
