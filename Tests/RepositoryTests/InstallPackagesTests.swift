import Foundation
import Testing

@Suite("The script install-packages")
struct InstallPackagesTests {
    /// A machine with stub programs: its installed packages, and the user who runs the script.
    struct Machine {
        var swift: String? = "Swift version 6.3.1 (swift-6.3.1-RELEASE)"
        var missing: Set<String> = []
        var isRoot = true
        var sudo: String? = "[[ $1 != --non-interactive ]] || shift; exec \"$@\""
        var hasApt = true

        func install(_ sections: [String] = []) throws -> (result: Program.Result, installed: String) {
            let scratch = try Scratch()
            let bin = scratch.directory.appending(path: "bin")
            try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
            for tool in ["awk", "bash", "cat", "dirname", "env", "grep", "head", "mktemp", "rm", "sed", "true"] {
                try FileManager.default.createSymbolicLink(
                    at: bin.appending(path: tool), withDestinationURL: URL(filePath: "/usr/bin/\(tool)"))
            }
            func standIn(_ name: String, _ body: String) throws {
                try scratch.write(body, to: "bin/\(name).body")
                try FileManager.default.createSymbolicLink(
                    at: bin.appending(path: name), withDestinationURL: Repository.root.appending(path: "Tests/stub-program"))
            }
            let log = scratch.directory.appending(path: "log")
            try scratch.write("", to: "log")
            if let swift { try standIn("swiftc", "echo '\(swift)'") }
            if let sudo { try standIn("sudo", sudo) }
            try standIn("id", "echo \(isRoot ? 0 : 1000)")
            if hasApt {
                try standIn("apt-get", "echo \"$*\" >>'\(log.path)'")
                try standIn(
                    "dpkg-query",
                    "for name; do [[ ' \(missing.joined(separator: " ")) ' == *\" $name \"* ]] || echo \"installed $name\"; done")
            }
            var script = Program(file: Repository.root.appending(path: "scripts/install-packages"))
            script.environment["PATH"] = bin.path
            return (try script.run(sections), try scratch.text(of: "log"))
        }
    }

    @Test("If no package is missing, the script does nothing and prints nothing")
    func complete() throws {
        let (result, installed) = try Machine().install()
        #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty && installed.isEmpty)
    }

    @Test("Only missing packages of the given sections are installed")
    func missing() throws {
        let machine = Machine(missing: ["fish", "zsh", "libstdc++6"])
        let (result, installed) = try machine.install(["build", "test"])
        #expect(result.status == 0)
        #expect(result.output == "install-packages: installing fish zsh\ninstall-packages: done\n")
        let calls = installed.split(separator: "\n")
        #expect(calls.count == 2)
        #expect(calls.first?.hasSuffix(" update") == true)
        #expect(calls.last?.hasSuffix(" install --yes --no-install-recommends fish zsh") == true)
        #expect(try machine.install(["build"]).installed.isEmpty)
    }

    @Test("The script uses sudo if it is allowed")
    func sudo() throws {
        let (result, installed) = try Machine(missing: ["fish"], isRoot: false).install()
        #expect(result.status == 0)
        #expect(installed.contains("install --yes --no-install-recommends fish"))
    }

    @Test("Without permission to install, the script prints the packages and the command", arguments: [nil, "exit 1"])
    func refused(sudo: String?) throws {
        let (result, installed) = try Machine(missing: ["fish", "zsh"], isRoot: false, sudo: sudo).install()
        #expect(result.status == 1)
        #expect(result.errors.contains("missing: fish zsh\n"))
        #expect(result.errors.contains("apt-get install --no-install-recommends fish zsh\n"))
        #expect(installed.isEmpty)
    }

    @Test("Without apt-get, the script prints all packages")
    func otherSystems() throws {
        let (result, _) = try Machine(hasApt: false).install(["build"])
        #expect(result.status == 1)
        let packages = try #require(PackageList(Repository.text(of: "config/debian-packages")).sections["build"])
        #expect(result.errors.contains("not Debian"))
        #expect(result.errors.contains("  \(packages.joined(separator: " "))\n"))
    }

    @Test(
        "The required Swift version and newer ones are accepted",
        arguments: ["Swift version 6.3 (swift-6.3-RELEASE)", "Swift version 6.10.1", "Swift version 7.0-dev (LLVM 1, Swift 2)"])
    func newSwift(version: String) throws {
        #expect(try Machine(swift: version).install().result.status == 0)
    }

    @Test(
        "An older, unknown or missing Swift is refused with the place to get it",
        arguments: [
            ("Swift version 6.2.4 (swift-6.2.4-RELEASE)", "is 6.2.4."), ("Swift version 5.10", "is 5.10."), ("?", "does not print"),
            (nil, "none is on"),
        ])
    func oldSwift(version: String?, finding: String) throws {
        let (result, _) = try Machine(swift: version).install()
        #expect(result.status == 1)
        #expect(result.errors.contains("Swift 6.3 or newer is needed") && result.errors.contains(finding))
        #expect(result.errors.contains("https://www.swift.org/install/linux/"))
    }
}
