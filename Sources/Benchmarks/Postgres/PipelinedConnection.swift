import CPostgres
import Glibc

/// A libpq connection in pipeline mode, which never blocks its thread in a call.
final class PipelinedConnection {
    private let pointer: OpaquePointer
    /// The number of synchronization points that the server has not answered yet.
    private(set) var pending = 0

    init(url: String, preparing statements: [String: String]) throws(BenchmarkFailure) {
        guard let pointer = PQconnectdb(url) else { throw BenchmarkFailure(reason: "libpq is out of memory") }
        self.pointer = pointer
        guard PQstatus(pointer) == CONNECTION_OK else { throw failure }
        for (name, sql) in statements {
            let result = PQprepare(pointer, name, sql, 0, nil)
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure }
        }
        guard PQsetnonblocking(pointer, 1) == 0, PQenterPipelineMode(pointer) == 1 else { throw failure }
    }

    deinit { PQfinish(pointer) }

    /// Sends a prepared statement with binary values.
    func send(_ name: String, _ values: [[UInt8]] = []) throws(BenchmarkFailure) {
        // The address of an empty buffer would be nil, which means NULL.
        let isSent = values.flatMap(\.self).withUnsafeBufferPointer { bytes in
            var offset = 0
            let pointers = values.map { value in
                defer { offset += value.count }
                return bytes.baseAddress.map { UnsafeRawPointer($0 + offset).assumingMemoryBound(to: CChar.self) }
            }
            let formats = [Int32](repeating: 1, count: values.count)
            return PQsendQueryPrepared(pointer, name, Int32(values.count), pointers, values.map { Int32($0.count) }, formats, 1) == 1
        }
        guard isSent else { throw failure }
    }

    /// Ends an implicit transaction and sends all buffered data.
    func synchronize() throws(BenchmarkFailure) {
        guard PQpipelineSync(pointer) == 1 else { throw failure }
        pending += 1
    }

    /// Waits until a connection has input, or room for its buffered output.
    static func wait(for connections: [PipelinedConnection]) throws(BenchmarkFailure) {
        var descriptors: [pollfd] = []
        for connection in connections where connection.pending > 0 {
            let isBuffered = PQflush(connection.pointer) == 1
            descriptors.append(pollfd(fd: PQsocket(connection.pointer), events: Int16(POLLIN | (isBuffered ? POLLOUT : 0)), revents: 0))
        }
        guard poll(&descriptors, nfds_t(descriptors.count), 30_000) > 0 else {
            throw BenchmarkFailure(reason: "libpq received no response")
        }
    }

    /// Reads the results that have arrived and passes the size of the first cell of each row set to a body. Returns the
    /// number of answered synchronization points.
    func receive(_ body: (Int) throws(BenchmarkFailure) -> Void = { _ throws(BenchmarkFailure) in }) throws(BenchmarkFailure) -> Int {
        guard PQconsumeInput(pointer) == 1 else { throw failure }
        var received = 0
        while pending > 0, PQisBusy(pointer) == 0 {
            // A nil result separates two statements.
            guard let result = PQgetResult(pointer) else { continue }
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK: try body(PQntuples(result) == 1 ? Int(PQgetlength(result, 0, 0)) : 0)
            case PGRES_COMMAND_OK: break
            case PGRES_PIPELINE_SYNC:
                pending -= 1
                received += 1
            default: throw failure
            }
        }
        return received
    }

    private var failure: BenchmarkFailure { BenchmarkFailure(reason: "libpq: \(String(cString: PQerrorMessage(pointer)))") }
}

extension Int {
    /// The eight bytes of an `int8` on the wire.
    var wireBytes: [UInt8] { Swift.withUnsafeBytes(of: bigEndian) { Array($0) } }
}
