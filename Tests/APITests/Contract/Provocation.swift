import HTTPMessages

@testable import API
@testable import HTTP

/// A code of a problem, and a request that is answered with it.
struct Provocation: Sendable {
    let code: String
    let status: Int
    let ask: @Sendable (ContractShop) async throws -> Response

    init(_ code: String, _ status: Int, _ ask: @escaping @Sendable (ContractShop) async throws -> Response) {
        (self.code, self.status, self.ask) = (code, status, ask)
    }

    static let all = reading + syncing + curating + publishing + items + importing + failures
}
