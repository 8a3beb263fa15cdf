import Foundation
import Testing

@Suite("Image and compose file")
struct DeploymentTests {
    let deployment: Deployment

    init() throws {
        deployment = Deployment(
            image: Mentions(try Repository.text(of: "Dockerfile")), compose: Mentions(try Repository.text(of: "docker-compose.yml")))
    }

    @Test("install what the released program needs and nothing else")
    func packages() throws {
        let list = PackageList(try Repository.text(of: "config/debian-packages"))
        #expect(deployment.packages == Set(list.sections["run"] ?? []))
    }

    @Test("install the libraries that the program is linked to")
    func libraries() throws {
        let needed = try Self.neededLibraries()
        #expect(needed.contains("libpq.so.5"))
        // Swift's own libraries are inside of what is released, and the C library is everywhere.
        let toInstall = needed.filter { !$0.hasPrefix("libswift") && !["libc.so.6", "libm.so.6", "libgcc_s.so.1"].contains($0) }
        let packages = deployment.packages.sorted()
        let installed = try packages.map { try Self.files(of: $0) }
        for library in toInstall { #expect(installed.contains { $0.contains(library) }, "\(library) comes with no package of the image") }
        for (package, files) in zip(packages, installed) where package != "libstdc++6" {
            #expect(!files.isDisjoint(with: needed), "\(package) is installed and not needed")
        }
    }

    private static func neededLibraries() throws -> Set<String> {
        let result = try Program(file: URL(filePath: "/usr/bin/env")).run(["readelf", "--dynamic", "--wide", try binary().file.path])
        return Set(Mentions(result.output).matches(of: /\(NEEDED\).*\[(.*)\]/))
    }

    /// The names of what a Debian package has installed.
    private static func files(of package: String) throws -> Set<String> {
        let result = try Program(file: URL(filePath: "/usr/bin/env")).run(["dpkg-query", "--listfiles", package])
        return Set(result.output.split(separator: "\n").compactMap { $0.split(separator: "/").last.map(String.init) })
    }

    @Test("build with the headers that the package list has")
    func headers() throws {
        let list = PackageList(try Repository.text(of: "config/debian-packages"))
        #expect(deployment.buildPackages == Set(list.sections["build"] ?? []).filter { $0.hasSuffix("-dev") })
    }

    @Test("run commands that the program has")
    func commands() throws {
        #expect(deployment.commands.count == 2)
        for command in deployment.commands { try expectExists(command) }
    }

    @Test("set variables that the program reads", arguments: ["Dockerfile", "docker-compose.yml", ".env.example"])
    func environment(file: String) throws {
        let names = Mentions(try Repository.text(of: file)).environmentNames
        #expect(!names.isEmpty)
        #expect(names.subtracting(try environmentOfProgram()) == [])
    }

    @Test("agree on one port")
    func ports() {
        #expect(deployment.ports.count == 4)
        #expect(Set(deployment.ports).count == 1)
    }

    @Test("copy what exists and what the build may see")
    func copies() throws {
        let visible = Set(Mentions(try Repository.text(of: ".dockerignore")).matches(of: /(?m)^!(.*)$/))
        #expect(deployment.copied == visible)
        #expect(deployment.copied.filter { !Repository.has($0) } == [])
        let folders = Mentions(try Repository.text(of: "Package.swift")).matches(of: /path: "([A-Za-z\/]+)"/)
        #expect(folders.filter { folder in !deployment.copied.contains { folder == $0 || folder.hasPrefix("\($0)/") } } == [])
    }

    @Test("put the program where it is started")
    func entryPoint() {
        #expect(deployment.image.matches(of: /COPY --from=build [^ ]+ (.*)/) == deployment.image.matches(of: /ENTRYPOINT \["(.*)"\]/))
    }

    @Test("build with the Swift that the project needs")
    func toolchain() throws {
        let needed = try Repository.text(of: ".swift-version").filter { !$0.isNewline }
        #expect(deployment.image.matches(of: /FROM swift:([0-9.]+)/) == [needed])
    }

    @Test("read secrets that are declared and that git ignores")
    func secrets() throws {
        #expect(!deployment.secretsRead.isEmpty)
        #expect(deployment.secretsRead == deployment.secretsDeclared)
        #expect(try Repository.text(of: ".gitignore").contains("/.secrets/\n"))
    }
}
