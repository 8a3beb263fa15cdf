package import Host

/// The programs of this package, which are built into the folder of its tests.
package enum BuiltProgram {
    package static func path(_ name: String) throws -> String {
        guard let tests = Path.target(ofLink: "/proc/self/exe") else { throw HostError(.notFound, "find", "the program of the tests") }
        return Path.join(Path.parent(of: tests), name)
    }

    /// The path of the program that the tests of commands run: the built one, or the one that `TESTED_PROGRAM` names, such as a release.
    package static var vitrine: String {
        get throws { try SystemInfo.environment["TESTED_PROGRAM"].map { try Path.absolute($0) } ?? path("vitrine") }
    }

    /// Runs one of `Tests/Scenarios` and returns its output, including errors.
    package static func runScenario(_ arguments: String...) throws -> (text: String, status: ProcessStatus) {
        var environment = SystemInfo.environment
        // An intended crash needs no report.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        return try ProcessLaunch(try path("Scenarios"), arguments, environment: environment).output(within: .seconds(60))
    }
}
