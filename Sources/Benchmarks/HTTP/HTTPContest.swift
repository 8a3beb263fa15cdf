import Foundation
import HTTP
import Host

/// Vitrine and nginx with the same pages and the same certificate, each on the first core.
struct HTTPContest {
    let vitrine: MeasuredServer
    let nginx: MeasuredServer

    /// Runs a body while both serve.
    static func run<Result>(_ body: (HTTPContest) throws -> Result) throws -> Result {
        let folder = "/dev/shm/vitrine-bench-\(Machine.processID)"
        defer { do { try FileManager.default.removeItem(atPath: folder) } catch { print("\(folder) stays: \(error)") } }
        try FileManager.default.createDirectory(atPath: "\(folder)/v1/us/feeds", withIntermediateDirectories: true)
        for size in ServedPages.sizes {
            try Data(ServedPages.bytes(size)).write(to: URL(fileURLWithPath: "\(folder)/v1/us/feeds/\(size)k"))
        }
        let certificate = try Certificate(in: folder)
        let own = try Path.resolved("/proc/self/exe")
        let plain = try Server(own, ["serve"], output: "\(folder)/plain")
        defer { plain.kill() }
        let encrypted = try Server(own, ["serve", certificate.chain, certificate.key], output: "\(folder)/encrypted")
        defer { encrypted.kill() }
        let ownPorts = try (plain: port(in: "\(folder)/plain"), encrypted: port(in: "\(folder)/encrypted"))
        let ports = try (plain: freePort(), encrypted: freePort())
        try Data(configuration(folder, certificate, ports).utf8).write(to: URL(fileURLWithPath: "\(folder)/nginx.conf"))
        let other = try Server("nginx", ["-c", "\(folder)/nginx.conf"], output: "\(folder)/nginx.log")
        defer { other.kill() }
        usleep(500_000)
        return try body(
            HTTPContest(
                vitrine: MeasuredServer(name: "vitrine", ports: ownPorts, processes: [plain.id, encrypted.id]),
                nginx: MeasuredServer(name: "nginx", ports: ports, processes: [other.id])))
    }

    private static func freePort() throws -> Int {
        guard let port = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0), isShared: false).port else {
            throw BenchmarkFailure(reason: "no free port")
        }
        return port
    }

    /// What a page about tuning nginx for files in memory says.
    private static func configuration(_ folder: String, _ certificate: Certificate, _ ports: (plain: Int, encrypted: Int)) -> String {
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
            }
        }

        """
    }

    /// A child on the first core.
    private struct Server {
        let id: Int32

        /// What it prints goes to a file.
        init(_ path: String, _ arguments: [String], output: String) throws {
            let file = try Descriptor(opening: output, .create)
            id = try Program("taskset", ["-c", "0", path] + arguments)
                .start(input: Descriptor(opening: "/dev/null", .read), output: file).id
        }

        func kill() { do { try RunningProcess.send(.kill, to: id) } catch { print("process \(id): \(error)") } }
    }

    /// Once it has told it.
    private static func port(in file: String) throws -> Int {
        for _ in 0..<1_000 {
            if let port = Int(try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)) { return port }
            usleep(10_000)
        }
        throw BenchmarkFailure(reason: "no port in \(file)")
    }
}
