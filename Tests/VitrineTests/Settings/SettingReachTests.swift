import API
import HTTP
import HTTPMessages
import Settings
import Testing

@testable import CLI

/// Each setting is shown to reach what it governs: as a value of the part that gets it, or by a program that runs with it.
@Suite("The reach of a setting") struct SettingReachTests {
    private static let variables = Dictionary(uniqueKeysWithValues: Settings.declarations.map { ($0.name.description, $0.name.variable) })

    @Test("Is shown for every setting once")
    func exhaustive() {
        let shown = MappedSetting.all.map(\.name) + ObservedSetting.allCases.map(\.rawValue)
        #expect(shown.sorted() == Self.variables.keys.sorted())
    }

    @Test("Is shown with values that are neither a default nor the value of another setting")
    func distinct() {
        let defaults = Settings.declarations.map(\.shownDefault)
        let values = MappedSetting.all.map(\.value)
        #expect(Set(values).count == values.count && Set(values).isDisjoint(with: defaults))
    }

    @Test("Ends at the part that is limited by it, while all others are set as well")
    func parts() async throws {
        let variables = MappedSetting.all.map { (Self.variables[$0.name] ?? $0.name, $0.value) }
        let parts = try await ReachedParts(Dictionary(uniqueKeysWithValues: variables))
        for setting in MappedSetting.all { #expect(try setting.reaches(parts), "\(setting.name)") }
    }

    @Test("Leaves out whom the limits of one client do not apply to")
    func exempt() async throws {
        let parts = try await ReachedParts(["VITRINE_DATABASE_URL": "postgresql://db/shop", "VITRINE_TRUSTED_PROXIES": "198.51.100.0/24"])
        for exempt in [parts.server.exempt, parts.sync.exempt] {
            #expect(["198.51.100.7", "127.0.0.1", "::1"].allSatisfy(exempt.trust(peer:)) && !exempt.trust(peer: "192.0.2.1"))
        }
    }
}
