import Foundation
import Host

/// The costs of a request in one round of a load on one server.
struct ServerSample {
    /// The CPU time of the server in microseconds, and its parts.
    let onCore: Double
    let inKernel: Double
    var inUserCode: Double { onCore - inKernel }
    /// The microseconds between two responses.
    let interval: Double
    /// The number of times that the client slept until responses arrived.
    let wakeUps: Double
    let tls: NegotiatedTLS?

    init(onCore: Double, inKernel: Double, interval: Double, wakeUps: Double, tls: NegotiatedTLS? = nil) {
        self.onCore = onCore
        self.inKernel = inKernel
        self.interval = interval
        self.wakeUps = wakeUps
        self.tls = tls
    }

    /// Runs a load and measures the server and the client.
    init(_ server: MeasuredServer, isEncrypted: Bool, _ load: () throws -> LoadOutcome) throws {
        let before = (server: try server.time(isEncrypted: isEncrypted), sleeps: Self.sleepsOfChildren)
        let outcome = try load()
        let spent = try server.time(isEncrypted: isEncrypted).spent(since: before.server)
        let requests = Double(outcome.requests)
        self.init(
            onCore: spent.total / .microseconds(1) / requests, inKernel: spent.kernel / .microseconds(1) / requests,
            interval: 1_000_000 / outcome.rate, wakeUps: Double(Self.sleepsOfChildren - before.sleeps) / requests, tls: outcome.tls)
    }

    /// The number of times that the ended children of this process slept. Servers are killed, but never waited for, so the
    /// load generator is the only child that ends during a load.
    private static var sleepsOfChildren: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        return usage.ru_nvcsw
    }
}
