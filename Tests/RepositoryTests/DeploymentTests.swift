import Foundation
import Testing

@Suite("The image and the compose file")
struct DeploymentTests {
    let deployment: Deployment

    init() throws {
        deployment = Deployment(
            image: References(try Repository.text(of: "Dockerfile")), compose: References(try Repository.text(of: "docker-compose.yml")))
    }

    @Test("The image installs exactly the packages that the released program needs")
    func packages() throws {
        let list = PackageList(try Repository.text(of: "config/debian-packages"))
        #expect(deployment.packages == Set(list.sections["run"] ?? []))
    }

    @Test("The image installs the libraries that the program is linked to")
    func libraries() throws {
        let needed = try Self.neededLibraries()
        #expect(needed.contains("libpq.so.5"))
        // Swift's own libraries are part of the release, and every system has the C library.
        let toInstall = needed.filter { !$0.hasPrefix("libswift") && !["libc.so.6", "libm.so.6", "libgcc_s.so.1"].contains($0) }
        let packages = deployment.packages.sorted()
        let installed = try packages.map { try Self.files(of: $0) }
        for library in toInstall { #expect(installed.contains { $0.contains(library) }, "\(library) comes with no package of the image") }
        // The converter of pictures is a program, and typefaces are data.
        let others: Set = ["fonts-inter-variable", "fonts-vlgothic", "librsvg2-bin", "libstdc++6"]
        for (package, files) in zip(packages, installed) where !others.contains(package) {
            #expect(!files.isDisjoint(with: needed), "\(package) is installed and not needed")
        }
    }

    private static func neededLibraries() throws -> Set<String> {
        let result = try Program(file: URL(filePath: "/usr/bin/env")).run(["readelf", "--dynamic", "--wide", try binary().file.path])
        return Set(References(result.output).matches(of: /\(NEEDED\).*\[(.*)\]/))
    }

    /// Returns the names of the files of a Debian package.
    private static func files(of package: String) throws -> Set<String> {
        let result = try Program(file: URL(filePath: "/usr/bin/env")).run(["dpkg-query", "--listfiles", package])
        return Set(result.output.split(separator: "\n").compactMap { $0.split(separator: "/").last.map(String.init) })
    }

    @Test("The build uses the headers of the package list")
    func headers() throws {
        let list = PackageList(try Repository.text(of: "config/debian-packages"))
        #expect(deployment.buildPackages == Set(list.sections["build"] ?? []).filter { $0.hasSuffix("-dev") })
    }

    @Test("The containers run commands of the program")
    func commands() throws {
        #expect(deployment.commands.count == 3)
        for command in deployment.commands { try expectExists(command) }
    }

    @Test("The files set variables that the program reads", arguments: ["Dockerfile", "docker-compose.yml", ".env.example"])
    func environment(file: String) throws {
        let names = References(try Repository.text(of: file)).environmentNames
        #expect(!names.isEmpty)
        #expect(names.subtracting(try environmentOfProgram()) == [])
    }

    @Test("The files agree on a port for clients, and on another one for health checks")
    func ports() {
        #expect(deployment.ports.count == 3 && Set(deployment.ports).count == 1)
        #expect(deployment.operationsPorts.count == 2 && Set(deployment.operationsPorts).count == 1)
        #expect(Set(deployment.ports).isDisjoint(with: deployment.operationsPorts))
    }

    @Test("The build copies existing paths that it may see")
    func copies() throws {
        let visible = Set(References(try Repository.text(of: ".dockerignore")).matches(of: /(?m)^!(.*)$/))
        #expect(deployment.copied == visible)
        #expect(deployment.copied.filter { !Repository.has($0) } == [])
        let folders = References(try Repository.text(of: "Package.swift")).matches(of: /path: "([A-Za-z\/]+)"/)
        #expect(folders.filter { folder in !deployment.copied.contains { folder == $0 || folder.hasPrefix("\($0)/") } } == [])
    }

    @Test("The program is copied to the path of the entry point")
    func entryPoint() {
        #expect(deployment.image.matches(of: /COPY --from=build [^ ]+ (.*)/) == deployment.image.matches(of: /ENTRYPOINT \["(.*)"\]/))
    }

    @Test("The build uses the Swift version of the project")
    func toolchain() throws {
        let needed = try Repository.text(of: ".swift-version").filter { !$0.isNewline }
        #expect(deployment.image.matches(of: /FROM swift:([0-9.]+)/) == [needed])
    }

    @Test("The compose file mounts files of the repository")
    func mounts() {
        #expect(deployment.mounted.count == 2)
        #expect(deployment.mounted.filter { !Repository.has($0) } == [])
    }

    @Test("The script makes the secrets that the services read, and keeps existing ones")
    func secrets() throws {
        let scratch = try Scratch()
        let folder = scratch.directory.appending(path: "secrets")
        func make() throws -> [String: String] {
            let script = Program(file: Repository.root.appending(path: "config/compose/make-secrets"))
            let result = try script.run([folder.path])
            #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            return try Dictionary(
                uniqueKeysWithValues: paths.filter { $0.contains("/") }.map { ($0, try scratch.text(of: "secrets/\($0)")) })
        }
        let made = try make()
        #expect(try make() == made)
        // A lost file is created again, and the existing passwords stay.
        try FileManager.default.removeItem(at: folder.appending(path: "owner/database-url"))
        #expect(try make() == made)
        let roles = References(try Repository.text(of: "sql/roles/create_roles.sql"))
        let read = deployment.secretsRead.union(roles.matches(of: /\/run\/secrets}\/([a-z-]+)/))
        #expect(Set(made.keys.compactMap { $0.split(separator: "/").last.map(String.init) }) == read)
        #expect(Set(made.filter { $0.key.hasSuffix("-password") }.values).count == 3)
        for (role, command) in [("owner", "ALTER DATABASE"), ("server", "CREATE ROLE")] {
            let password = try #require(made["database/\(role)-password"])
            #expect(made["\(role)/database-url"] == "postgresql://vitrine_\(role):\(password)@db/vitrine")
            #expect(roles.lines.contains { $0.hasPrefix(command) && $0.contains("vitrine_\(role)") })
        }
        #expect(deployment.compose.text.contains(#""--grant", "vitrine_server"]"#))
    }
}
