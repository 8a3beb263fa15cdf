import Foundation
import Host

/// nginx with the shipped configuration, except for its ports, its certificate and the folder of its files.
final class CachingNginx: TestedCache {
    let name = "nginx"
    /// nginx stores a response for `br`, one for `gzip` and one for other clients.
    let codings = 3
    private let process: CacheProcess
    private let store: String

    var port: Int { process.port }

    init(in folder: String, origin: Int) throws {
        let own = "\(folder)/nginx"
        store = "\(own)/cache"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        let port = try CacheProcess.freePort()
        let shipped = try String(contentsOfFile: "\(Self.root)/config/nginx.conf", encoding: .utf8)
        let text = try Self.configuration(shipped, own, port: port, origin: origin, store: store)
        try text.write(toFile: "\(own)/nginx.conf", atomically: true, encoding: .utf8)
        process = try CacheProcess("nginx", ["-c", "\(own)/nginx.conf", "-e", "\(own)/error.log"], port: port, log: "\(own)/output")
    }

    /// The root of the repository.
    private static var root: String { URL(filePath: #filePath).pathComponents.dropLast(5).joined(separator: "/") }

    /// Returns the number of files. nginx writes a response to a temporary file in the same folder first.
    func objects() throws -> Int {
        guard let files = FileManager.default.enumerator(atPath: store) else { throw BenchmarkFailure(reason: "\(store) is not readable") }
        return files.allObjects.count { ($0 as? String)?.firstMatch(of: #/(^|\/)[0-9a-f]{32}$/#) != nil }
    }

    func stop() { process.stop() }

    /// Returns the shipped configuration without its certificate, on other ports and in another folder.
    private static func configuration(_ shipped: String, _ own: String, port: Int, origin: Int, store: String) throws -> String {
        var lines = shipped.split(separator: "\n", omittingEmptySubsequences: false).filter {
            !$0.contains("ssl_certificate") && !$0.contains("listen [::]")
        }
        func replace(_ prefix: String, by line: String) throws {
            guard let index = lines.firstIndex(where: { $0.drop { $0 == " " }.hasPrefix(prefix) }) else {
                throw BenchmarkFailure(reason: "config/nginx.conf has no line that starts with \(prefix)")
            }
            lines[index] = Substring(line)
        }
        try replace("listen 443", by: "listen 127.0.0.1:\(port) backlog=4096;")
        try replace("server 127.0.0.1:8080;", by: "server 127.0.0.1:\(origin);")
        try replace("proxy_cache_path ", by: "proxy_cache_path \(store) keys_zone=vitrine_pages:16m max_size=1g;")
        return """
            daemon off;
            \(getuid() == 0 ? "user root;" : "")
            worker_processes 2;
            pid \(own)/pid;
            worker_rlimit_nofile 8192;
            events { worker_connections 4096; }
            http {
                access_log off;
                keepalive_requests 1000000000;
                client_body_temp_path \(own)/b; proxy_temp_path \(own)/p; fastcgi_temp_path \(own)/f;
                uwsgi_temp_path \(own)/u; scgi_temp_path \(own)/s;
            \(lines.joined(separator: "\n"))
            }

            """
    }
}
