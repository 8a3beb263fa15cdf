import Testing

@testable import EmbeddedPostgres

@Suite struct ServerBinariesTests {
    private static func server(_ major: Int, _ minor: Int = 1) -> ServerBinaries {
        ServerBinaries(directory: "/pg/\(major).\(minor)", version: ServerVersion(major: major, minor: minor))
    }

    @Test("A new cluster uses the newest server, in any order of discovery")
    func newest() throws {
        #expect(try ServerBinaries.choose(from: [Self.server(9), Self.server(16), Self.server(15)], existingMajor: nil) == Self.server(16))
    }

    @Test("An existing cluster uses the newest server of its own major version")
    func existing() throws {
        let installed = [Self.server(16), Self.server(15, 2), Self.server(15, 18)]
        #expect(try ServerBinaries.choose(from: installed, existingMajor: 15) == Self.server(15, 18))
    }

    @Test("A cluster of a version that is not installed is refused with both versions and the package")
    func wrongMajor() {
        let error = #expect(throws: ClusterError.self) {
            try ServerBinaries.choose(from: [Self.server(16), Self.server(15)], existingMajor: 14)
        }
        #expect(error?.code == .wrongMajorVersion)
        #expect(error?.message == "the cluster was created by PostgreSQL 14, but the installed version is 15, 16")
        #expect(error?.advice.contains("apt-get install postgresql-14") == true)
    }

    @Test("A missing server is an error that names the package to install")
    func none() {
        let error = #expect(throws: ClusterError.self) { try ServerBinaries.choose(from: [], existingMajor: nil) }
        #expect(error?.code == .noServerBinaries)
        #expect(error?.advice.contains("apt-get install postgresql") == true)
    }

    @Test(
        "The version is parsed from the output of the server",
        arguments: [
            ("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n", ServerVersion(major: 15, minor: 18)),
            ("postgres (PostgreSQL) 18beta1", ServerVersion(major: 18, minor: 0)),
            ("postgres (PostgreSQL) 17", ServerVersion(major: 17, minor: 0)),
        ])
    func version(text: String, version: ServerVersion) {
        #expect(ServerVersion(printed: text) == version)
    }

    @Test("A text without a version has none", arguments: ["", "postgres", "99999999999999999999.1"])
    func noVersion(text: String) {
        #expect(ServerVersion(printed: text) == nil)
    }

    @Test("The server of this machine is found and runs")
    func installed() {
        #expect(ServerBinaries.installed().first != nil)
        #expect(ServerBinaries.at("/nowhere/at-all") == nil)
    }
}
