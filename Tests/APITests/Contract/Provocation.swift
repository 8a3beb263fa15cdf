import HTTPMessages

@testable import API
@testable import HTTP

/// The code of a problem, and a request that provokes it.
struct Provocation: Sendable {
    let code: String
    let status: Int
    let send: @Sendable (ContractSite) async throws -> Response

    init(_ code: String, _ status: Int, _ send: @escaping @Sendable (ContractSite) async throws -> Response) {
        (self.code, self.status, self.send) = (code, status, send)
    }

    static let all =
        reading + syncing + curating + publishing + experiments + items + vocabulary + importing + failures
}
