import Host
import Testing

@testable import EmbeddedPostgres

@Suite struct ServerAccountTests {
    private static let root = User(id: 0, group: 0, name: "root")
    private static let ada = User(id: 1000, group: 1000, name: "ada")
    private static let postgres = User(id: 101, group: 104, name: "postgres")
    private static let nobody = User(id: 65534, group: 65534, name: "nobody")

    private static func choose(
        _ current: User, owners: [String: UInt32], users: [User] = [postgres, nobody]
    ) throws(ClusterError) -> ServerAccount {
        try ServerAccount.choose(
            for: "/srv/vitrine/data", current: current, owner: { owners[$0] }, user: { name in users.first { $0.name == name } })
    }

    @Test("A user other than root runs the server")
    func unprivileged() throws {
        #expect(try Self.choose(Self.ada, owners: ["/srv/vitrine": 0]) == ServerAccount(user: Self.ada, isDropped: false))
    }

    @Test("Root runs the server as the owner of the data, or of the nearest folder above")
    func owner() throws {
        #expect(try Self.choose(Self.root, owners: ["/srv/vitrine/data": 7, "/srv": 8]).user.id == 7)
        #expect(try Self.choose(Self.root, owners: ["/srv": 8, "/": 0]).user.id == 8)
    }

    @Test("In a folder of root, the server runs as postgres, or as the unprivileged user, or not at all")
    func account() throws {
        #expect(try Self.choose(Self.root, owners: ["/": 0]).user == Self.postgres)
        #expect(try Self.choose(Self.root, owners: ["/": 0], users: [Self.nobody]).user == Self.nobody)
        #expect(throws: ClusterError.self) { try Self.choose(Self.root, owners: ["/": 0], users: []) }
    }
}
