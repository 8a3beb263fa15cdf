package import Host

/// Programs of this package, which are built beside its tests.
package enum BuiltProgram {
    package static func path(_ name: String) throws -> String {
        guard let tests = Path.target(ofLink: "/proc/self/exe") else { throw HostError(.notFound, "find", "the program of the tests") }
        return Path.join(Path.parent(of: tests), name)
    }

    /// The program that the tests of commands run: the one beside them, or another that `TESTED_PROGRAM` names, such as that which is shipped.
    package static var vitrine: String {
        get throws { try SystemInfo.environment["TESTED_PROGRAM"].map { try Path.absolute($0) } ?? path("vitrine") }
    }

    /// Runs one of `Tests/Scenarios` and returns what it printed, its error output included.
    package static func runScenario(_ words: String...) throws -> (text: String, status: ProcessStatus) {
        var environment = SystemInfo.environment
        // A crash that is wanted needs no report.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        return try ProcessLaunch(try path("Scenarios"), words, environment: environment).output(within: .seconds(60))
    }
}
