import EventLoop
import HTTP
import HTTPMessages
import Host
import Security

/// Serves bodies of a few sizes from memory on one loop, until it is killed; prints its port.
enum BenchmarkServer {
    static func run() async throws {
        let pages = Dictionary(
            uniqueKeysWithValues: [2, 12, 60].map { size in
                let body = Body([UInt8]((0..<(size * 1_024)).map { UInt8(ascii: "a") + UInt8($0 % 26) }))
                return ("/\(size)k", body)
            })
        let prepared = PreparedFields([
            ResponseField(.contentType, "application/json"), ResponseField(.etag, "\"2k-1234567\""),
            ResponseField(.cacheControl, "max-age=60"),
        ])
        let service = Service(
            admit: { _ in .body(limit: 65_536) },
            respond: { request in
                guard let body = pages[request.head.target.path] else { return .now(Response(.notFound)) }
                if request.head.fields.withFirst(.ifNoneMatch, { $0.count > 0 }) != nil {
                    return .now(Response(.notModified, prepared: prepared))
                }
                return .now(Response(.ok, prepared: prepared, body: body))
            },
            refuse: { Response($0.status, body: Body("\($0.reason)\n")) })
        let group = try EventLoopGroup(name: "http", count: 1)
        let arguments = CommandLine.arguments
        let encryption =
            arguments.count > 3 ? try TLSContext(certificate: arguments[2], key: arguments[3], protocols: ["h2", "http/1.1"]) : nil
        let server = try await Server([.tcp(host: "127.0.0.1", port: 0)], on: group, service: service, encryption: encryption)
        try StandardStream.output.write("\(server.ports[0] ?? 0)\n")
        try await Task.sleep(for: .seconds(86_400))
    }
}
