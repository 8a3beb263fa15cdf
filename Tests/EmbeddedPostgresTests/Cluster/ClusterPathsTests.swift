import Testing

@testable import EmbeddedPostgres

@Suite struct ClusterPathsTests {
    @Test("the URL names the socket's folder, with what a URL cannot hold encoded")
    func url() throws {
        #expect(try ClusterPaths(directory: "/srv/my shop/é&").url == "postgresql:///vitrine?host=/srv/my%20shop/%C3%A9%26&user=vitrine")
    }

    @Test("a comma, which would part the path in two, is refused with the flag that helps")
    func comma() {
        let error = #expect(throws: ClusterError.self) { try ClusterPaths(directory: "/srv/a,b") }
        #expect(error?.code == .socketPathRefused)
        #expect(error?.advice.contains("--postgres-socket-directory") == true)
    }

    @Test("a socket path of 107 bytes is taken, a longer one refused with the flag that helps")
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
