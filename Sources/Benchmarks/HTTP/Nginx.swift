import Foundation
import HTTP

/// nginx on the first core, with the files of a folder.
struct Nginx {
    let process: PinnedProcess
    let measured: MeasuredServer

    /// `fields` are sent with each file.
    init(in folder: String, _ certificate: Certificate, fields: [(name: String, value: String)] = []) throws {
        let ports = try (plain: Self.freePort(), encrypted: Self.freePort())
        let configuration = Self.configuration(folder, certificate, ports, fields)
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: "\(folder)/nginx.conf"))
        process = try PinnedProcess("nginx", ["-c", "\(folder)/nginx.conf"], output: "\(folder)/nginx.log")
        measured = MeasuredServer(name: "nginx", ports: ports, processes: [process.id])
    }

    private static func freePort() throws -> Int {
        guard let port = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0), isShared: false).port else {
            throw BenchmarkFailure(reason: "no free port")
        }
        return port
    }

    /// What a page about tuning nginx for files in memory says.
    private static func configuration(
        _ folder: String, _ certificate: Certificate, _ ports: (plain: Int, encrypted: Int), _ fields: [(name: String, value: String)]
    ) -> String {
        """
        daemon off;
        master_process off;
        pid \(folder)/nginx.pid;
        error_log \(folder)/error.log;
        worker_rlimit_nofile 8192;
        events { worker_connections 4096; multi_accept on; }
        http {
            access_log off;
            server_tokens off;
            sendfile on;
            tcp_nopush on;
            tcp_nodelay on;
            keepalive_requests 1000000000;
            keepalive_timeout 600s;
            open_file_cache max=100 inactive=1h;
            open_file_cache_valid 1h;
            default_type application/json;
            client_body_temp_path \(folder)/b; proxy_temp_path \(folder)/p; fastcgi_temp_path \(folder)/f;
            uwsgi_temp_path \(folder)/u; scgi_temp_path \(folder)/s;
            ssl_certificate \(certificate.chain);
            ssl_certificate_key \(certificate.key);
            ssl_session_cache shared:s:10m;
            http2_max_requests 1000000000;
            server {
                listen 127.0.0.1:\(ports.plain) backlog=4096;
                listen 127.0.0.1:\(ports.encrypted) ssl http2 backlog=4096;
                root \(folder);
        \(fields.map { "        add_header \($0.name) \"\($0.value)\";" }.joined(separator: "\n"))
            }
        }

        """
    }
}
