import Testing

@testable import EmbeddedPostgres

@Suite struct ClusterPathsTests {
    @Test("The URL names the socket directory, percent-encoded")
    func url() throws {
        #expect(try ClusterPaths(directory: "/srv/my shop/é&").url == "postgresql:///vitrine?host=/srv/my%20shop/%C3%A9%26&user=vitrine")
    }

    @Test("A path with a comma, which would separate two hosts, is refused with the flag to use")
    func comma() {
        let error = #expect(throws: ClusterError.self) { try ClusterPaths(directory: "/srv/a,b") }
        #expect(error?.code == .socketPathRefused)
        #expect(error?.advice.contains("--postgres-socket-directory") == true)
    }

    @Test("A socket path of 107 bytes is accepted, and a longer one is refused with the flag to use")
    func longest() throws {
        let room = 107 - "/.s.PGSQL.5432".utf8.count
        _ = try ClusterPaths(directory: "/" + String(repeating: "a", count: room - 1))
        let long = "/" + String(repeating: "a", count: room)
        let error = #expect(throws: ClusterError.self) { try ClusterPaths(directory: long) }
        #expect(error?.code == .socketPathRefused)
        #expect(error?.advice.contains("--postgres-socket-directory") == true)
        _ = try ClusterPaths(directory: long, socketDirectory: "/tmp")
    }
}
