import EventLoop
import Postgres
import Settings
import TestProxy
import Testing

@Suite("An encrypted connection")
struct EncryptionTests {
    private static let isEncrypted = PostgresQuery("encryption", "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")

    @Test("is made where the certificate is that of the host, and refused with the reason where it is not or is not to be believed")
    func verification() async throws {
        try await EncryptedServer.run { server in
            try await withConnection(PostgresConfiguration(url: server.url())) { connection in
                let answer: [Bool] = try await connection.rows(of: Self.isEncrypted, as: Bool.self, until: .soon)
                #expect(answer == [true])
            }
            try await Self.expectRefusal(of: server.url(as: "other.test"), because: "does not match host name \"other.test\"")
            try await Self.expectRefusal(of: server.url(believing: server.strangers), because: "certificate verify failed")
            try await Self.expectRefusal(
                of: server.url(believing: "/nowhere.crt"), because: "root certificate file \"/nowhere.crt\" does not exist")
            let open = try DatabaseURL(parsing: "postgresql://vitrine@127.0.0.1:\(server.port)/vitrine?sslmode=disable")
            try await Self.expectRefusal(of: open, because: "no encryption")
        }
    }

    @Test("that is required is refused with the reason where the server has none")
    func missing() async throws {
        try await Proxy.run(to: .socket(TestServer.socket)) { proxy in
            let url = try DatabaseURL(parsing: "postgresql://vitrine@127.0.0.1:\(proxy.port)/vitrine?sslmode=require")
            try await Self.expectRefusal(of: url, because: "server does not support SSL")
        }
    }

    @Test("blocks nobody else on its loop while it is made over a slow network, and works there")
    func slowNetwork() async throws {
        try await EncryptedServer.run { server in
            try await Self.spoil(server) { network in
                await network.proxy.behave(.delay(.milliseconds(200)))
                async let turns = Self.turns(of: network.loop, during: .milliseconds(800))
                let connection = try await network.connect()
                #expect(try await connection.rows(of: Self.isEncrypted, as: Bool.self, until: .soon) == [true])
                #expect(try await turns >= 20)
                connection.close()
            }
        }
    }

    @Test("ends with a typed error where the network is spoiled")
    func spoiledNetwork() async throws {
        try await EncryptedServer.run { server in
            try await withThrowingDiscardingTaskGroup { group in
                for fault in NetworkFault.allCases {
                    for exchange in Exchange.allCases { group.addTask { try await Self.expectTypedError(of: exchange, fault, server) } }
                }
            }
        }
    }

    private static func expectTypedError(of exchange: Exchange, _ fault: NetworkFault, _ server: EncryptedServer) async throws {
        try await spoil(server) { network in
            let connection = try await network.connect()
            let error = await #expect(throws: PostgresError.self, "\(fault), \(exchange)") {
                try await exchange.run(on: connection, of: network, until: fault.deadline) { await fault.strike(network.proxy) }
            }
            #expect(error?.code == fault.expectedCode(of: exchange), "\(fault), \(exchange): \(error)")
            #expect(connection.isClosed)
        }
    }

    /// Runs a body with a network before the server.
    private static func spoil(_ server: EncryptedServer, _ body: @escaping @Sendable (SpoiledNetwork) async throws -> Void) async throws {
        try await SpoiledNetwork.run(to: .port(server.port), observing: server.localURL, body) { try server.url(by: $0) }
    }

    /// How often the loop came to something else meanwhile; half of the first 800 ms would be 80.
    private static func turns(of loop: EventLoop, during duration: Duration) async throws -> Int {
        let end = Deadline.after(duration)
        var turns = 0
        while Deadline.now < end {
            try await loop.sleep(until: .after(.milliseconds(5)))
            turns += 1
        }
        return turns
    }

    private static func expectRefusal(of url: DatabaseURL, because reason: String) async throws {
        try await withLoop { loop in
            let error = await expectFailure(.connectFailed) { () throws(PostgresError) in
                try await PostgresConnection.connect(PostgresConfiguration(url: url), on: loop, until: .soon)
            }
            #expect(error?.message.contains(reason) == true, "\(error)")
            #expect(error?.classification == .unavailable)
        }
    }
}
