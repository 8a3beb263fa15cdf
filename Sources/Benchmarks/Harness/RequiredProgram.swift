import Host

/// A program that a suite starts, and the Debian package that installs it.
struct RequiredProgram: Hashable, Sendable {
    let name: String
    let package: String

    static let chrt = RequiredProgram(name: "chrt", package: "util-linux")
    static let curl = RequiredProgram(name: "curl", package: "curl")
    static let h2load = RequiredProgram(name: "h2load", package: "nghttp2-client")
    static let nginx = RequiredProgram(name: "nginx", package: "nginx")
    static let openssl = RequiredProgram(name: "openssl", package: "openssl")
    static let psql = RequiredProgram(name: "psql", package: "postgresql-client")
    static let python = RequiredProgram(name: "python3", package: "python3-venv")
    static let taskset = RequiredProgram(name: "taskset", package: "util-linux")
    static let varnish = RequiredProgram(name: "varnishd", package: "varnish")
    static let wrk = RequiredProgram(name: "wrk", package: "wrk")

    /// Throws if one of the programs is not in a search path. The error lists the subjects that need it and the command
    /// that installs it.
    static func check(_ subjects: [(name: String, programs: [RequiredProgram])], in searchPath: String) throws(BenchmarkFailure) {
        let directories = searchPath.split(separator: ":").map(String.init)
        let missing = Set(subjects.flatMap(\.programs)).sorted { $0.name < $1.name }
            .filter { program in !directories.contains { Files.may(.execute, Path.join($0, program.name)) } }
        guard !missing.isEmpty else { return }
        let lines = missing.map { program in
            "\(program.name) is not installed; needed by: \(subjects.filter { $0.programs.contains(program) }.map(\.name).joined(separator: ", "))"
        }
        let packages = Set(missing.map(\.package)).sorted().joined(separator: " ")
        throw BenchmarkFailure(reason: (lines + ["install with: apt-get install \(packages)"]).joined(separator: "\n"))
    }
}
