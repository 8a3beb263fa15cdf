import Foundation
import Host

/// The response of one server with which every load on it is compared.
struct ExpectedResponse {
    /// The header fields of the request.
    let headers: [String]
    let response: ServedResponse
}

extension HTTPContest {
    /// Returns the expected response of each server to a load. Throws if two servers differ in status, body, a compared
    /// field or the cipher.
    func expected(of load: Load, _ servers: [MeasuredServer]) throws -> [ExpectedResponse] {
        let pages = try servers.map { try get(load, $0, load.headers) }
        for (server, page) in zip(servers, pages) {
            guard page.status == 200, !page.body.isEmpty else {
                throw BenchmarkFailure(reason: "\(load.name): \(server.name) responds with \(page.status) and \(page.body.count) bytes")
            }
            if let difference = page.difference(from: pages[0]) {
                throw BenchmarkFailure(reason: "\(load.name): \(server.name) and \(servers[0].name) differ: \(difference)")
            }
        }
        if load.isEncrypted {
            try checkTLS(load, zip(servers, servers.map { try NegotiatedTLS.of(port: $0.ports.encrypted, isHTTP2: load.isHTTP2) }))
        }
        guard load.isUnchanged else { return pages.map { ExpectedResponse(headers: load.headers, response: $0) } }
        return try zip(servers, pages).map { try unchanged(load, $0, $1) }
    }

    /// Throws if two servers negotiated different versions, ciphers or keys.
    func checkTLS(_ load: Load, _ negotiated: some Sequence<(MeasuredServer, NegotiatedTLS)>) throws {
        var first: (server: MeasuredServer, tls: NegotiatedTLS)?
        for (server, tls) in negotiated {
            if let first, tls != first.tls {
                throw BenchmarkFailure(
                    reason: "\(load.name): \(server.name) negotiates \(tls), but \(first.server.name) negotiates \(first.tls)")
            }
            first = first ?? (server, tls)
        }
    }

    /// Returns the 304 response without a body to a request with the page's entity tag.
    private func unchanged(_ load: Load, _ server: MeasuredServer, _ page: ServedResponse) throws -> ExpectedResponse {
        guard let tag = page.fields["etag"] else { throw BenchmarkFailure(reason: "\(load.name): \(server.name) sends no entity tag") }
        let headers = load.headers + ["If-None-Match: \(tag)"]
        let response = try get(load, server, headers)
        guard response.status == 304, response.body.isEmpty else {
            throw BenchmarkFailure(
                reason:
                    "\(load.name): \(server.name) responds to its own entity tag with \(response.status) and \(response.body.count) bytes")
        }
        let expected = ExpectedResponse(headers: headers, response: response)
        try load.checkStatuses(server, expected, in: folder)
        return expected
    }

    /// Waits until a server sends the expected response again.
    func wait(for expected: ExpectedResponse, of load: Load, from server: MeasuredServer) throws {
        var difference = ""
        for _ in 0..<300 {
            guard let other = try get(load, server, expected.headers).difference(from: expected.response) else { return }
            difference = other
            usleep(100_000)
        }
        throw BenchmarkFailure(reason: "\(load.name): the response of \(server.name) changed: \(difference)")
    }

    private func get(_ load: Load, _ server: MeasuredServer, _ headers: [String]) throws -> ServedResponse {
        try ServedResponse.get(server.url(load.path, isEncrypted: load.isEncrypted), headers, isHTTP2: load.isHTTP2, in: folder)
    }
}
