import Foundation
import Testing

@Suite("The sample configurations")
struct ConfigurationTests {
    private let service: References
    private let socket: References
    private let nginx: References
    private let prometheus: References

    init() throws {
        service = References(try Repository.text(of: "config/vitrine.service"))
        socket = References(try Repository.text(of: "config/vitrine.socket"))
        nginx = References(try Repository.text(of: "config/nginx.conf"))
        prometheus = References(try Repository.text(of: "config/prometheus.yml"))
    }

    @Test("The configurations run commands and set variables of the program")
    func commands() throws {
        let commands = service.matches(of: /(?m)^ExecStart=(.*)$/).compactMap { MentionedCommand($0) }
        #expect(commands == [MentionedCommand(arguments: ["serve"])])
        for command in commands { try expectExists(command) }
        #expect(!service.environmentNames.isEmpty)
        #expect(service.environmentNames.subtracting(try environmentOfProgram()) == [])
    }

    @Test("The configurations use the default ports of the program")
    func ports() throws {
        let port = Set(socket.matches(of: /(?m)^ListenStream=(.*)$/))
        #expect(port == Set(nginx.matches(of: /(?m)^    server ([0-9.:]+);$/)))
        #expect(port == ["127.0.0.1:8080"])
        // The metrics port is the one for operators.
        #expect(prometheus.matches(of: /targets: \["(.*)"\]/) == ["127.0.0.1:8081"])
        let settings = try Repository.text(of: "Sources/Settings/Values/OperationsListen.swift")
        #expect(settings.contains(#".host("127.0.0.1", port: 8081)"#))
    }

    @Test("The configurations request paths of the program")
    func paths() throws {
        let routes = References(try Repository.text(of: "Sources/Server/Monitoring/Route+Operations.swift")).matches(
            of: /Route\(\.get, "(.*?)"\)/)
        #expect(prometheus.matches(of: /metrics_path: (.*)/).allSatisfy(routes.contains))
        let hidden = try #require(nginx.matches(of: /location ~ \^\/\((.*)\)\$/).first)
        #expect(Set(hidden.split(separator: "|").map { "/\($0)" }) == Set(routes))
    }

    @Test("The alerts are those that the guide describes, on metrics of the program")
    func alerts() throws {
        #expect(prometheus.matches(of: /(?m)^  - (.*\.yml)$/) == ["prometheus-alerts.yml"])
        let file = try Repository.text(of: "config/prometheus-alerts.yml")
        let alerts = file.matches(of: /(?m)^        expr: (.+)\n(?:        for: (\d+)m\n)?/).map {
            [String($0.1), $0.2.map(String.init) ?? ""]
        }
        let guide = try Repository.text(of: "docs/operations.md")
        let start = try #require(guide.range(of: "### Set up alerts")?.upperBound)
        let table = guide[start..<(try #require(guide.range(of: "\n## ", range: start..<guide.endIndex)?.lowerBound))]
        let rows = table.matches(of: /(?m)^\| `([^`]+)`(?: for (\d+) minutes?)?/).map { [String($0.1), $0.2.map(String.init) ?? ""] }
        #expect(rows.count > 10 && alerts == rows)
        let metrics = Set(try Monitoring.declaredMetrics().map(\.name))
        #expect(Set(References(file).matches(of: /expr: .*?(vitrine_[a-z_]+)/)).subtracting(metrics) == [])
    }

    @Test("The stop timeout is longer than the shutdown timeout of the program")
    func timeout() throws {
        let shutdown = try #require(service.matches(of: /VITRINE_TIMEOUTS_SHUTDOWN=(\d+)s/).first.flatMap { Int($0) })
        let stop = try #require(service.matches(of: /(?m)^TimeoutStopSec=(\d+)$/).first.flatMap { Int($0) })
        #expect(stop > shutdown + 2)
    }

    @Test("The configuration of nginx is valid")
    func nginxUnderstands() throws {
        let scratch = try Scratch()
        let folder = scratch.directory.path
        let arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=shop.example",
        ]
        let openssl = Program(file: URL(filePath: "/usr/bin/openssl"))
        #expect(try openssl.run(arguments + ["-keyout", "\(folder)/key.pem", "-out", "\(folder)/chain.pem"]).status == 0)
        let text = nginx.text.replacing("/etc/ssl/vitrine", with: folder).replacing("/var/cache/nginx-vitrine", with: "\(folder)/cache")
        try scratch.write("pid \(folder)/pid; error_log stderr; events {}\nhttp { access_log off;\n\(text)\n}\n", to: "nginx.conf")
        let result = try Program(file: URL(filePath: "/usr/sbin/nginx")).run(["-t", "-p", folder, "-c", "\(folder)/nginx.conf"])
        #expect(result.status == 0 && !result.errors.contains("[warn]"), "\(result.errors)")
    }

    @Test("The guide to caches shows the lines of the configuration of nginx")
    func nginxGuide() throws {
        let guide = try Repository.text(of: "docs/caching.md")
        let block = try #require(guide.firstMatch(of: /(?s)\nmap \$http_accept_encoding.*?\n```/)).0
        let shipped = Set(nginx.text.split(separator: "\n").map { $0.drop { $0 == " " } })
        let lines = block.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0 != "```" && !$0.hasPrefix("proxy_pass ") }
        #expect(lines.count > 10)
        for line in lines { #expect(shipped.contains(line), "\(line)") }
    }

    @Test("The units of systemd are valid")
    func systemdUnderstands() throws {
        let scratch = try Scratch()
        let program = try binary().file.path
        for (name, unit) in [("vitrine.service", service), ("vitrine.socket", socket)] {
            try scratch.write(unit.text.replacing("/usr/local/bin/vitrine", with: program), to: name)
        }
        let files = ["vitrine.service", "vitrine.socket"].map { scratch.directory.appending(path: $0).path }
        let result = try Program(file: URL(filePath: "/usr/bin/systemd-analyze")).run(
            ["verify", "--recursive-errors=no", "--man=no"] + files)
        #expect(result.status == 0 && !result.errors.contains("vitrine."), "\(result.errors)")
    }
}
