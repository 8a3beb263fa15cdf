import CPostgres
import Glibc

/// A libpq connection as its manual shows it: each call blocks its thread until the response arrives.
final class BlockingConnection {
    private let pointer: OpaquePointer

    init(url: String) throws(BenchmarkFailure) {
        guard let pointer = PQconnectdb(url) else { throw BenchmarkFailure(reason: "libpq is out of memory") }
        self.pointer = pointer
        guard PQstatus(pointer) == CONNECTION_OK else { throw failure }
    }

    deinit { PQfinish(pointer) }

    func prepare(_ name: String, _ sql: String) throws(BenchmarkFailure) {
        let result = PQprepare(pointer, name, sql, 0, nil)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure }
    }

    /// Returns the size of one cell by its key, both in binary format.
    func size(_ name: String, _ key: Int) throws(BenchmarkFailure) -> Int {
        let result = withUnsafeBytes(of: key.bigEndian) { bytes in
            PQexecPrepared(pointer, name, 1, [bytes.baseAddress?.assumingMemoryBound(to: CChar.self)], [8], [1], 1)
        }
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK, PQntuples(result) == 1 else { throw failure }
        return Int(PQgetlength(result, 0, 0))
    }

    /// Fetches all rows for some texts in binary format, without reading them.
    func fetch(_ name: String, _ texts: [String]) throws(BenchmarkFailure) {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let result = PQexecPrepared(pointer, name, Int32(texts.count), copies.map { UnsafePointer($0) }, nil, nil, 1)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK, PQntuples(result) > 0 else { throw failure }
    }

    private var failure: BenchmarkFailure { BenchmarkFailure(reason: String(cString: PQerrorMessage(pointer))) }
}
