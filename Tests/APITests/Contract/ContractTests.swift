import Catalog
import CatalogImport
import HTTPMessages
import Items
import JSON
import TestDatabase
import Testing

@testable import API
@testable import HTTP

@Suite("The contract with clients", .databaseForEachTest)
struct ContractTests {
    @Test("Every problem of the OpenAPI document has exactly one provocation, and no other problem has one")
    func exhaustive() throws {
        let codes = try OpenAPIDocument().problemCodes
        let provoked = Provocation.all.map(\.code)
        #expect(codes.count > 50)
        #expect(Set(provoked) == codes, "\(Set(provoked).symmetricDifference(codes).sorted())")
    }

    private static let areas: [String: [Provocation]] = [
        "reading": Provocation.reading, "syncing": Provocation.syncing, "curating": Provocation.curating,
        "publishing": Provocation.publishing, "experiments": Provocation.experiments, "items": Provocation.items,
        "vocabulary": Provocation.vocabulary,
        "importing": Provocation.importing,
        "failures": Provocation.failures,
    ]

    @Test("Every problem has its documented status, code and form", arguments: areas.keys.sorted())
    func problems(area: String) async throws {
        let provocations = try #require(Self.areas[area])
        var files = FileLimits()
        files.records = 700
        try await AdminSite.run(throttle: .init(failures: 1), files: files) { admin in
            let site = try await ContractSite(admin)
            for provocation in provocations {
                let response = try await provocation.send(site)
                #expect(response.status.rawValue == provocation.status, "\(provocation.code): \(response.text)")
                #expect(try response.code == provocation.code, "\(response.text)")
            }
        }
    }
}
