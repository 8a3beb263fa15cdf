import Foundation
import Host

/// Varnish with a backend and no other configuration.
final class Varnish: TestedCache {
    let name = "Varnish"
    /// Varnish requests gzip for all clients, and decompresses it for the others.
    let codings = 1
    private let process: CacheProcess
    private let folder: String

    var port: Int { process.port }

    init(in folder: String, origin: Int) throws {
        self.folder = "\(folder)/varnish"
        let file = "\(folder)/default.vcl"
        let configuration = """
            vcl 4.1;
            backend default { .host = "127.0.0.1"; .port = "\(origin)"; }

            """
        try configuration.write(toFile: file, atomically: true, encoding: .utf8)
        let port = try CacheProcess.freePort()
        let arguments = ["-F", "-n", self.folder, "-a", "127.0.0.1:\(port)", "-f", file, "-s", "malloc,1g"]
        process = try CacheProcess("varnishd", arguments, port: port, log: "\(folder)/varnish.log")
    }

    func objects() throws -> Int {
        let (text, status) = try ProcessLaunch("varnishstat", ["-n", folder, "-1", "-f", "MAIN.n_object"]).output(within: .seconds(30))
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard status.isSuccess, words.count > 1, let count = Int(words[1]) else { throw BenchmarkFailure(reason: "varnishstat: \(text)") }
        return count
    }

    func stop() { process.stop() }
}
