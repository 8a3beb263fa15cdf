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
        let plain = try PinnedProcess(own, ["serve"], output: "\(folder)/plain")
        defer { plain.kill() }
        let encrypted = try PinnedProcess(own, ["serve", certificate.chain, certificate.key], output: "\(folder)/encrypted")
        defer { encrypted.kill() }
        let ownPorts = try (plain: plain.port(), encrypted: encrypted.port())
        let nginx = try Nginx(in: folder, certificate)
        defer { nginx.process.kill() }
        usleep(500_000)
        return try body(
            HTTPContest(
                vitrine: MeasuredServer(name: "vitrine", ports: ownPorts, processes: [plain.id, encrypted.id]),
                nginx: nginx.measured))
    }
}
