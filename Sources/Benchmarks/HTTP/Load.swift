import Foundation
import Host

/// The requests of a load generator on the second core, over 64 persistent connections.
struct Load {
    enum Kind {
        case http1(isEncrypted: Bool)
        /// Simultaneous requests on each connection, of this number.
        case pipelined(Int)
        /// Requests with the entity tag of the response.
        case unchanged
        case http2(streams: Int)
    }

    static let connections = 64

    let name: String
    let path: String
    var headers: [String] = []
    let kind: Kind
    /// The required minimum of nginx's CPU time, as a multiple of Vitrine's.
    let bar: Double
    /// The required minimum of the floor's CPU time, as a multiple of Vitrine's. nil if the floor is only for comparison.
    var floorBar: Double?

    var isHTTP2: Bool { if case .http2 = kind { true } else { false } }

    var isEncrypted: Bool {
        switch kind {
        case .http1(let isEncrypted): isEncrypted
        case .http2: true
        case .pipelined, .unchanged: false
        }
    }

    /// The number of measurements on each server.
    static let rounds = 7

    /// The length of a measurement. With TLS, the handshakes of all connections are a part of the time.
    var seconds: Int { isEncrypted ? 2 : 1 }

    var isUnchanged: Bool { if case .unchanged = kind { true } else { false } }

    /// The number of simultaneous requests on a connection.
    var depth: Int {
        switch kind {
        case .pipelined(let count), .http2(let count): count
        case .http1, .unchanged: 1
        }
    }

    /// Sends requests for one round. Throws `ChangedResponses` if the responses differ in size from the expected one.
    func run(_ server: MeasuredServer, _ expected: ExpectedResponse, in folder: String) throws -> LoadOutcome {
        let outcome: LoadOutcome?
        let text: String
        if isHTTP2 {
            let arguments = ["h2load", "-t1", "-c\(Self.connections)", "-m\(depth)", "-D\(seconds)"] + fields(expected.headers)
            text = try Self.output(of: arguments + [server.url(path, isEncrypted: true)], seconds)
            outcome = LoadOutcome(ofH2load: text)
        } else {
            text = try Self.output(of: wrk(server, expected, seconds, try script(in: folder, .counting)), seconds)
            outcome = LoadOutcome(ofWrk: text)
        }
        guard let outcome, outcome.requests > 0 else { throw BenchmarkFailure(reason: "\(name) against \(server.name): \(text)") }
        let size = isHTTP2 ? expected.response.body.count : expected.response.bytes.count
        try outcome.check(size: size, underWay: Self.connections * depth, "\(name) from \(server.name)")
        return outcome
    }

    /// Sends requests for a second and checks the status of each response, which a measured load does not do.
    func checkStatuses(_ server: MeasuredServer, _ expected: ExpectedResponse, in folder: String) throws {
        let text = try Self.output(of: wrk(server, expected, 1, try script(in: folder, .judging(expected.response.status))), 1)
        guard let match = text.firstMatch(of: #/statuses: ([0-9]+) expected, ([0-9]+) others/#), match.1 != "0", match.2 == "0" else {
            throw BenchmarkFailure(reason: "\(name): not every response of \(server.name) is a \(expected.response.status): \(text)")
        }
    }

    private enum Script {
        /// Prints the exact sums at the end.
        case counting
        case judging(Int)
    }

    private func script(in folder: String, _ script: Script) throws -> String {
        let path = "\(folder)/load.lua"
        let text =
            switch script {
            case .counting:
                (depth == 1
                    ? "" : "init = function() batch = string.rep(wrk.format(), \(depth)) end\nrequest = function() return batch end\n")
                    + #"done = function(sum) io.write(string.format("sums: %d responses, %d bytes\n", sum.requests, sum.bytes)) end"#
            case .judging(let status):
                """
                local threads = {}
                function setup(thread) table.insert(threads, thread) end
                function init() expected = 0; others = 0 end
                function response(status) if status == \(status) then expected = expected + 1 else others = others + 1 end end
                function done()
                    io.write(string.format("statuses: %d expected, %d others\\n", threads[1]:get("expected"), threads[1]:get("others")))
                end
                """
            }
        try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func wrk(_ server: MeasuredServer, _ expected: ExpectedResponse, _ seconds: Int, _ script: String) -> [String] {
        ["wrk", "-t1", "-c\(Self.connections)", "-d\(seconds)s", "-s", script] + fields(expected.headers)
            + [server.url(path, isEncrypted: isEncrypted)]
    }

    private func fields(_ headers: [String]) -> [String] { headers.flatMap { ["-H", $0] } }

    private static func output(of arguments: [String], _ seconds: Int) throws -> String {
        let (text, status) = try ProcessLaunch("taskset", ["-c", "1"] + arguments).output(within: .seconds(seconds + 30))
        guard status.isSuccess else { throw BenchmarkFailure(reason: "\(arguments.joined(separator: " ")): \(text)") }
        return text
    }
}
