internal import CPostgres
package import EventLoop

extension PostgresConnection {
    /// Connects to the first server of the configuration that takes the session, or throws what the last one said.
    ///
    /// Each address has the configuration's `connectTimeout`, all of them together the deadline. To be called by a task that prefers the loop.
    package static func connect(
        _ configuration: PostgresConfiguration, on loop: EventLoop, until deadline: Deadline
    ) async throws(PostgresError) -> PostgresConnection {
        loop.checkIsolated()
        let parameters = try ConnectionParameters(configuration)
        var failure = PostgresError(.connectFailed, "the name of the server has no address")
        for endpoint in parameters.endpoints {
            do throws(PostgresError) {
                return try await connect(parameters, to: endpoint, configuration, on: loop, until: deadline)
            } catch {
                failure = error
                // Another server would not know this user better, and a cancelled task wants none.
                guard error.code != .cancelled, error.sqlState?.category != "28", deadline > .now else { throw error }
            }
        }
        throw failure
    }

    private static func connect(
        _ parameters: ConnectionParameters, to endpoint: Endpoint, _ configuration: PostgresConfiguration, on loop: EventLoop,
        until deadline: Deadline
    ) async throws(PostgresError) -> PostgresConnection {
        var failure = PostgresError(.connectFailed, "connect: the name of the server has no address")
        for candidate in try await resolve(endpoint, on: loop, until: min(deadline, .after(parameters.connectTimeout))) {
            do throws(PostgresError) {
                let handle = try await open(
                    parameters.parameters(for: candidate), on: loop, until: min(deadline, .after(parameters.connectTimeout)))
                return PostgresConnection(handle, loop: loop, configuration)
            } catch {
                failure = error
                guard error.code != .cancelled, error.sqlState?.category != "28", deadline > .now else { throw error }
            }
        }
        throw failure
    }

    private static func resolve(
        _ endpoint: Endpoint, on loop: EventLoop, until deadline: Deadline
    ) async throws(PostgresError) -> [Endpoint] {
        guard endpoint.needsResolution else { return [endpoint] }
        let addresses = try await BlockingCall.run("postgres: look up a name", on: loop, until: deadline) {
            AddressLookup.addresses(of: endpoint.host)
        }
        return addresses.map { Endpoint(host: endpoint.host, address: $0, port: endpoint.port) }
    }

    private static func open(
        _ parameters: [(name: String, value: String)], on loop: EventLoop, until deadline: Deadline
    ) async throws(PostgresError) -> Handle {
        guard let handle = Handle(connectingWith: parameters) else { throw PostgresError(.connectFailed, "connect: out of memory") }
        guard !handle.isBroken else { throw PostgresError(connectFailure: handle.message) }
        var interest = Readiness.writable
        while true {
            do throws(EventLoopError) {
                try await loop.wait(for: interest, on: handle.socket, until: deadline, named: "postgres: connect")
            } catch {
                throw PostgresError(error, query: nil)
            }
            switch unsafe PQconnectPoll(handle.pointer) {
            case PGRES_POLLING_OK:
                guard unsafe PQsetnonblocking(handle.pointer, 1) == 0, unsafe PQenterPipelineMode(handle.pointer) == 1 else {
                    throw PostgresError(connectFailure: handle.message)
                }
                return handle
            case PGRES_POLLING_READING: interest = .readable
            case PGRES_POLLING_WRITING: interest = .writable
            default: throw PostgresError(connectFailure: handle.message)
            }
        }
    }
}
