import EventLoop
import Postgres
import Settings
import TestDatabase
import TestProxy
import TestSupport
import Testing

@Suite("An encrypted connection", .onOwnThread)
struct EncryptionTests {
    private static let isEncrypted = PostgresQuery("encryption", "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")

    @Test("A connection is made if the certificate is trusted and matches the host, and is refused with the reason otherwise")
    func verification() async throws {
        try await EncryptedServer.run { server in
            try await withConnection(.patient(server.url())) { connection in
                let response: [Bool] = try await connection.rows(of: Self.isEncrypted, as: Bool.self, until: .soon)
                #expect(response == [true])
            }
            try await Self.expectRejection(of: server.url(as: "other.test"), because: "does not match host name \"other.test\"")
            try await Self.expectRejection(of: server.url(believing: server.strangers), because: "certificate verify failed")
            try await Self.expectRejection(
                of: server.url(believing: "/nowhere.crt"), because: "root certificate file \"/nowhere.crt\" does not exist")
            let open = try DatabaseURL(parsing: "postgresql://vitrine@127.0.0.1:\(server.port)/vitrine?sslmode=disable")
            try await Self.expectRejection(of: open, because: "no encryption")
        }
    }

    @Test("A connection that requires encryption is refused with the reason if the server has none", .database)
    func missing() async throws {
        try await Proxy.run(to: .socket(ScratchDatabase.current.socket)) { proxy in
            let url = try DatabaseURL(parsing: "postgresql://vitrine@127.0.0.1:\(proxy.port)/vitrine?sslmode=require")
            try await Self.expectRejection(of: url, because: "server does not support SSL")
        }
    }

    @Test("A TLS handshake over a slow network does not block its event loop, and the connection works there")
    func slowNetwork() async throws {
        try await EncryptedServer.run { server in
            try await Self.spoil(server) { network in
                await network.proxy.behave(.delay(.milliseconds(200)))
                let turns = Task(executorPreference: network.loop) { await Self.turns(of: network.loop) }
                let connection = try await network.connect()
                #expect(try await connection.rows(of: Self.isEncrypted, as: Bool.self, until: .soon) == [true])
                turns.cancel()
                // At least one turn per chunk; a handshake that waited for all chunks in one call would allow a single turn.
                #expect(await turns.value >= 6)
                connection.close()
            }
        }
    }

    @Test("A call over TLS ends with a typed error if the network fails")
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
                try await exchange.run(on: connection, of: network, until: fault.deadline(for: exchange)) {
                    await fault.strike(network.proxy)
                }
            }
            #expect(error?.code == fault.expectedCode(of: exchange), "\(fault), \(exchange): \(error)")
            #expect(connection.isClosed)
        }
    }

    /// Runs a body with a faulty network between the client and the server.
    private static func spoil(_ server: EncryptedServer, _ body: @escaping @Sendable (SpoiledNetwork) async throws -> Void) async throws {
        try await SpoiledNetwork.run(to: .port(server.port), observing: server.localURL, body) { try server.url(by: $0) }
    }

    /// Returns the number of turns of the event loop until the task is canceled.
    private static func turns(of loop: EventLoop) async -> Int {
        var turns = 0
        do {
            while true {
                try await loop.sleep(until: .after(.milliseconds(5)))
                turns += 1
            }
        } catch {
            return turns
        }
    }

    private static func expectRejection(of url: DatabaseURL, because reason: String) async throws {
        try await withLoop { loop in
            let error = await expectFailure(.connectFailed) { () throws(PostgresError) in
                try await PostgresConnection.connect(.patient(url), on: loop, until: .soon)
            }
            #expect(error?.message.contains(reason) == true, "\(error)")
            #expect(error?.classification == .unavailable)
        }
    }
}
