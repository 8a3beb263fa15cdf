import API
import HTTP
import HTTPMessages
import Settings
import Testing

@testable import CLI

/// Tests that each setting reaches its target: as a value of a component, or through a program that runs with it.
@Suite("The reach of a setting") struct SettingReachTests {
    private static let variables = Dictionary(uniqueKeysWithValues: Settings.declarations.map { ($0.name.description, $0.name.variable) })

    @Test("Every setting has exactly one test of its reach")
    func exhaustive() {
        let printed = MappedSetting.all.map(\.name) + ObservedSetting.allCases.map(\.rawValue)
        #expect(printed.sorted() == Self.variables.keys.sorted())
    }

    @Test("The tested values are neither defaults nor shared by two settings")
    func distinct() {
        let defaults = Settings.declarations.map(\.displayedDefault)
        let values = MappedSetting.all.map(\.value)
        #expect(Set(values).count == values.count && Set(values).isDisjoint(with: defaults))
    }

    @Test("Each setting reaches its component while all others are set")
    func parts() async throws {
        let variables = MappedSetting.all.map { (Self.variables[$0.name] ?? $0.name, $0.value) }
        let parts = try await ReachedParts(Dictionary(uniqueKeysWithValues: variables))
        for setting in MappedSetting.all { #expect(try setting.reaches(parts), "\(setting.name)") }
    }

    @Test("Exempt clients are not subject to the limits per client")
    func exempt() async throws {
        let parts = try await ReachedParts(["VITRINE_DATABASE_URL": "postgresql://db/shop", "VITRINE_TRUSTED_PROXIES": "198.51.100.0/24"])
        for exempt in [parts.server.exempt, parts.sync.exempt] {
            #expect(["198.51.100.7", "127.0.0.1", "::1"].allSatisfy(exempt.trust(peer:)) && !exempt.trust(peer: "192.0.2.1"))
        }
    }
}
