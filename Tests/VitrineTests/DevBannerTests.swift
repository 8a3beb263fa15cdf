import EmbeddedPostgres
import Testing

@testable import CLI

@Suite("The summary of vitrine dev")
struct DevBannerTests {
    private func text(_ directory: String) -> String {
        let database = DevBanner.Database.privately(
            ServerVersion(major: 15, minor: 18), .created, directory: directory, took: .milliseconds(700))
        return DevBanner(program: "vitrine", version: "1.0.0", database: database, schema: nil, addresses: ["http://127.0.0.1:8080"])
            .text(isColored: false)
    }

    @Test(
        "Commands name the directory of the database, except the default one",
        arguments: [
            (".vitrine/postgres", "    vitrine feed ls "),
            (".vitrine/live", "    VITRINE_POSTGRES_DIRECTORY=.vitrine/live vitrine feed ls "),
            ("my shop's", #"    VITRINE_POSTGRES_DIRECTORY='my shop'\''s' vitrine feed ls "#),
        ])
    func commands(directory: String, command: String) { #expect(text(directory).contains(command)) }
}
