import API
import EmbeddedPostgres
import HTTP
import HTTPMessages
import Postgres
import Settings

@testable import CLI
@testable import Server

/// A setting that becomes a value of a component, and the component that must have it.
struct MappedSetting: Sendable {
    let name: String
    let value: String
    let reaches: @Sendable (ReachedParts) throws -> Bool

    init(_ name: String, _ value: String, _ reaches: @escaping @Sendable (ReachedParts) throws -> Bool) {
        (self.name, self.value, self.reaches) = (name, value, reaches)
    }

    /// All mapped settings. Each value is neither a default nor the value of another setting, so that no two can be confused.
    static let all: [MappedSetting] = database + sync + timeouts + limits

    private static let database = [
        MappedSetting("database.url", "postgresql://ada@db.example/shop") { parts in
            let url = try DatabaseURL(parsing: "postgresql://ada@db.example/shop")
            return parts.database.url == url && parts.command.url == url
        },
        MappedSetting("postgres.directory", "/reached/data") { $0.cluster.directory == "/reached/data" && $0.cluster.isChosen },
        MappedSetting("postgres.socketDirectory", "/reached/socket") { $0.cluster.socketDirectory == "/reached/socket" },
        MappedSetting("postgres.binDirectory", "/reached/bin") { $0.cluster.binDirectory == "/reached/bin" },
        MappedSetting("pool.size", "7") { $0.pools.maximum == 7 },
        MappedSetting("pool.maxWaiting", "1009") { $0.pools.maxWaiting == 1_009 },
    ]

    private static let sync = [
        MappedSetting("sequencer", "no") { $0.publishesNothing },
        MappedSetting("sync.retention", "36h") {
            $0.sync.retention == .seconds(129_600) && $0.sequencer.retention == .seconds(129_600)
        },
        MappedSetting("sync.maxWaiting", "20011") { $0.sync.maxWaiting == 20_011 },
        MappedSetting("sync.maxWaitingPerAddress", "2027") { $0.sync.maxWaitingPerAddress == 2_027 },
        MappedSetting("sync.checkAt", "05:41") { $0.audit?.time == TimeOfDay("05:41") },
    ]

    private static let timeouts = [
        MappedSetting("timeouts.connect", "5s") { $0.database.connectTimeout == .seconds(5) && $0.command.connectTimeout == .seconds(5) },
        MappedSetting("timeouts.statement", "6s") {
            $0.database.statementTimeout == .seconds(6) && $0.command.statementTimeout == .seconds(6)
        },
        MappedSetting("timeouts.headers", "11s") { $0.server.headers == .seconds(11) },
        MappedSetting("timeouts.body", "31s") { $0.server.body == .seconds(31) },
        MappedSetting("timeouts.idle", "76s") { $0.server.idle == .seconds(76) },
        MappedSetting("timeouts.write", "33s") { $0.server.write == .seconds(33) },
        MappedSetting("timeouts.request", "4s") { $0.server.request == .seconds(4) },
        MappedSetting("timeouts.linger", "9s") { $0.server.linger == .seconds(9) },
    ]

    private static let limits = [
        MappedSetting("actions.schemes", "shop") { $0.actionSchemes == ["shop"] },
        MappedSetting("limits.connections", "9001") { $0.server.connections == 9_001 },
        MappedSetting("limits.connectionsPerAddress", "901") { $0.server.connectionsPerAddress == 901 },
        MappedSetting("limits.headerBytes", "16001") { $0.server.head.headerBytes == 16_001 },
        MappedSetting("limits.headerCount", "91") { $0.server.head.headerCount == 91 },
        MappedSetting("limits.targetBytes", "8101") { $0.server.head.targetBytes == 8_101 },
        MappedSetting("limits.bufferedBodyBytes", "5000011") { $0.server.bodyBytes == 5_000_011 },
        MappedSetting("limits.requestsInFlight", "1103") { $0.server.requestsInFlight == 1_103 },
        MappedSetting("limits.eventStreams", "5003") { $0.server.eventStreams == 5_003 },
        MappedSetting("limits.outputBufferBytes", "200003") { $0.server.outputBufferBytes == 200_003 },
        MappedSetting("limits.http2Streams", "103") { $0.server.http2.streams == 103 },
        MappedSetting("limits.http2Resets", "211") { $0.server.http2.resets == 211 },
        MappedSetting("limits.http2ControlFrames", "223") { $0.server.http2.controlFrames == 223 },
    ]
}
