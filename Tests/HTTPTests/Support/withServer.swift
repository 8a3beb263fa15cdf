import EventLoop
import HTTP
import HTTPMessages
import Security

/// Runs a server for the duration of a body, and shuts it down.
func withServer(
    _ service: Service = .sample, host: String? = "127.0.0.1", loops: Int = 2, encryption: TLSContext? = nil,
    limiting limit: (inout ServerLimits) -> Void = { _ in },
    _ body: @escaping @Sendable (HTTPServer, _ port: Int) async throws -> Void
) async throws {
    var limits = ServerLimits()
    limit(&limits)
    let group = try EventLoopGroup(name: "test", count: loops)
    let server = try await HTTPServer([.tcp(host: host, port: 0)], on: group, service: service, limits: limits, encryption: encryption)
    let result: Result<Void, any Error>
    do {
        try await body(server, server.ports[0] ?? 0)
        result = .success(())
    } catch {
        result = .failure(error)
    }
    await server.shutDown(until: .after(.seconds(5)))
    await group.stop()
    try result.get()
}

extension Service {
    /// Eight million letters whose order reveals misplaced ones.
    static let large = {
        let block = (0..<65_521).map { UInt8(ascii: "A") + UInt8(truncatingIfNeeded: ($0 ^ $0 >> 8) % 26) }
        var bytes: [UInt8] = []
        while bytes.count < 8_000_000 { bytes += block }
        return SharedBytes(Array(bytes.prefix(8_000_000)))
    }()

    /// A service that echoes the request, in the way that the first segment of the path names.
    static let sample = Service(
        admit: { head, _ in
            guard head.target.segments.first == "refused" else { return .body(limit: 100_000) }
            let isStream = head.target.segments.last == "stream"
            return .immediate(Response(.forbidden, body: isStream ? .stream { try await $0.write(Array("no\n".utf8)) } : Body("no\n")))
        },
        respond: { request in
            let text = "\(request.head.method) \(request.head.target.path) \(request.body.count)\n"
            switch request.head.target.segments.first {
            case "later":
                return .later { loop in
                    do { try await loop.sleep(until: .after(.milliseconds(20))) } catch { return Response(.unavailable) }
                    return Response(.ok, body: Body(text))
                }
            case "never":
                return .later { loop in
                    do { try await loop.sleep(until: .never) } catch { return Response(.unavailable) }
                    return Response(.ok)
                }
            case "large": return .now(Response(.ok, body: .stored(large)))
            case "stream":
                return .now(
                    Response(
                        .ok,
                        body: .stream { writer in
                            for number in 0..<3 { try await writer.write(Array("part \(number)\n".utf8)) }
                        }))
            case "broken": return .now(Response(.ok, body: .stream { _ in throw CancellationError() }))
            case "nothing": return .now(Response(.noContent))
            default: return .now(Response(.ok, fields: [ResponseField(.contentType, "text/plain")], body: Body(text)))
            }
        },
        refuse: { failure, _ in
            let fields = failure.status == .unavailable ? [ResponseField(.retryAfter, "1")] : []
            return Response(failure.status, fields: fields, body: Body("\(failure.reason)\n"))
        })
}

extension Service {
    /// A service whose only content is its constant field, which shows whether the connection is encrypted.
    static let open = Service(
        admit: { _, _ in .body(limit: 0) }, respond: { _ in .now(Response(.noContent)) },
        refuse: { failure, _ in Response(failure.status) },
        fields: [ResponseField("x-shop", "open")], encryptedFields: [ResponseField("x-shop", "sealed")])

    /// Returns the sample service with responses under `/held` that wait until a test releases them.
    static func holding(until isOpen: @escaping @Sendable () -> Bool) -> Service {
        Service(
            admit: { _, _ in .body(limit: 0) },
            respond: { request in
                let response = Response(.ok, body: Body("\(request.head.method) \(request.head.target.path) 0\n"))
                guard request.head.target.segments.first == "held" else { return .now(response) }
                return .later { loop in
                    while !isOpen() {
                        do { try await loop.sleep(until: .after(.milliseconds(5))) } catch { return Response(.unavailable) }
                    }
                    return response
                }
            },
            refuse: { error, _ in Response(error.status) })
    }
}
