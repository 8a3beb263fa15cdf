import Foundation
import HTTP
import Host

/// An nginx server on the first core that serves the files of a folder.
struct Nginx {
    let process: PinnedProcess
    let measured: MeasuredServer
    private let log: String

    /// Starts nginx. It sends `fields` with each file. Without `keepsFilesOpen` it opens the file for each request.
    init(in folder: String, _ certificate: Certificate, fields: [(name: String, value: String)], keepsFilesOpen: Bool) throws {
        let ports = try (plain: Self.freePort(), encrypted: Self.freePort())
        let own = "\(folder)/nginx-\(ports.plain)"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        let configuration = Self.configuration(folder, own, certificate, ports, fields, keepsFilesOpen)
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: "\(own)/nginx.conf"))
        log = "\(own)/error.log"
        process = try PinnedProcess("nginx", ["-c", "\(own)/nginx.conf", "-e", log], output: "\(own)/output")
        let name = keepsFilesOpen ? "nginx, open_file_cache" : "nginx"
        measured = MeasuredServer(name: name, ports: ports, processes: (process.id, process.id))
    }

    /// Waits until both ports respond with any status.
    func waitUntilListening() throws {
        let urls = [measured.url("/", isEncrypted: false), measured.url("/", isEncrypted: true)]
        for _ in 0..<200 {
            if try urls.allSatisfy({ try ProcessLaunch("curl", ["-sk", "-o", "/dev/null", $0]).output().status.isSuccess }) { return }
            usleep(50_000)
        }
        throw BenchmarkFailure(reason: "nginx does not listen: \(try String(contentsOfFile: log, encoding: .utf8))")
    }

    private static func freePort() throws -> Int {
        guard let port = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0), isShared: false).port else {
            throw BenchmarkFailure(reason: "no free port")
        }
        return port
    }

    /// Returns the settings that guides to nginx recommend for files in memory. nginx checks once a second whether a file was
    /// replaced.
    private static func configuration(
        _ folder: String, _ own: String, _ certificate: Certificate, _ ports: (plain: Int, encrypted: Int),
        _ fields: [(name: String, value: String)], _ keepsFilesOpen: Bool
    ) -> String {
        """
        daemon off;
        master_process off;
        pid \(own)/nginx.pid;
        error_log \(own)/error.log;
        worker_rlimit_nofile 8192;
        events { worker_connections 4096; multi_accept on; }
        http {
            access_log off;
            server_tokens off;
            sendfile on;
            tcp_nopush on;
            tcp_nodelay on;
            max_ranges 0;
            keepalive_requests 1000000000;
            keepalive_timeout 600s;
            \(keepsFilesOpen ? "open_file_cache max=100 inactive=1h; open_file_cache_valid 1s;" : "open_file_cache off;")
            default_type application/json;
            client_body_temp_path \(own)/b; proxy_temp_path \(own)/p; fastcgi_temp_path \(own)/f;
            uwsgi_temp_path \(own)/u; scgi_temp_path \(own)/s;
            ssl_certificate \(certificate.chain);
            ssl_certificate_key \(certificate.key);
            ssl_protocols TLSv1.2 TLSv1.3;
            ssl_prefer_server_ciphers on;
            ssl_session_cache shared:s:10m;
            http2_max_requests 1000000000;
            server {
                listen 127.0.0.1:\(ports.plain) backlog=4096;
                listen 127.0.0.1:\(ports.encrypted) ssl http2 backlog=4096;
                root \(folder);
        \(fields.map { "        add_header \($0.name) \"\($0.value.replacing("\"", with: "\\\""))\";" }.joined(separator: "\n"))
            }
        }

        """
    }
}
