import Host
import Testing

@testable import EmbeddedPostgres

@Suite struct PostmasterFileTests {
    private static func text(_ process: String = "4711", status: String = "ready   ") -> [UInt8] {
        Array("\(process)\n/srv/data\n1700000000\n5432\n/srv\n\n  123 456\n\(status)\n".utf8)
    }

    @Test("The file of a running server has its process, its socket directory and its state")
    func reads() throws {
        let file = try #require(PostmasterFile(Self.text()))
        #expect(file.process == 4711)
        #expect(file.socketDirectory == "/srv")
        #expect(file.isReady)
        #expect(PostmasterFile(Self.text(status: "starting"))?.isReady == false)
        #expect(PostmasterFile(Self.text(status: "stopping"))?.isStopping == true)
    }

    @Test(
        "An incomplete or invalid file is not parsed",
        arguments: [
            "", "4711", "4711\n/srv/data\n1\n5432", "no\n/d\n1\n2\n/s\n", "-4\n/d\n1\n2\n/s\n", "0\n/d\n1\n2\n/s\n",
            "99999999999\n/d\n1\n2\n/s\n",
        ])
    func refuses(text: String) {
        #expect(PostmasterFile(Array(text.utf8)) == nil)
    }

    private static let judged: [(String, RunningProcess?, PostmasterFile.Owner)] = [
        ("no process has that number", nil, .gone),
        ("another program has that number", process("nginx", [], "/srv/data"), .stranger),
        ("a server works in the folder", process("postgres", ["postgres"], "/srv/data"), .server),
        ("a server was started for the folder", process("postgres", ["postgres", "-D", "/srv/data"], nil), .server),
        ("a server works in another folder", process("postgres", ["postgres", "-D", "/other"], "/other"), .stranger),
        ("a server may not be looked at", process("postgres", ["postgres"], nil), .unclear),
    ]

    @Test("The owner of a process number is determined from the running process", arguments: judged)
    func judges(name: String, process: RunningProcess?, owner: PostmasterFile.Owner) throws {
        #expect(try #require(PostmasterFile(Self.text())).owner(process, dataDirectory: "/srv/data") == owner)
    }

    private static func process(_ name: String, _ arguments: [String], _ directory: String?) -> RunningProcess {
        RunningProcess(id: 4711, name: name, arguments: arguments, workingDirectory: directory)
    }
}
