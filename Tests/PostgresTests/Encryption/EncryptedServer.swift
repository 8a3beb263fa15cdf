import Host
import Postgres
import Settings
import TestDatabase
import TestProxy
import TestSupport
import Testing

@testable import EmbeddedPostgres

/// A disposable cluster that accepts TCP connections only over TLS, as `db.test`, with its own certificate authority.
struct EncryptedServer: Sendable {
    let port: UInt16
    /// The certificate of the authority that signed the server's certificate.
    let authority: String
    /// The certificate of another authority.
    let strangers: String
    private let socketDirectory: String

    /// The script that creates the certificates, run in a folder of the server's account.
    private static let certify = """
        set -e
        cd "$1"
        certificate() { openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -days 2 "$@"; }
        certificate -subj /CN=ours -keyout ours.key -out ours.crt
        certificate -subj /CN=strangers -keyout strangers.key -out strangers.crt
        certificate -subj /CN=db.test -addext subjectAltName=DNS:db.test -CA ours.crt -CAkey ours.key -keyout server.key -out server.crt
        printf 'local all all trust\\nhostssl all all 127.0.0.1/32 trust\\n' >access
        """

    static func run(_ body: (EncryptedServer) async throws -> Void) async throws {
        let folder = try TemporaryFolder("tls")
        let port = try ReservedPort()
        let certificates = "\(folder.path)/certificates"
        let account = try ServerAccount.choose(for: folder.path)
        try Files.makeDirectory(certificates)
        if account.isDropped { try Files.give(folder: certificates, to: account.user) }
        let (text, status) = try account.program("sh", ["-c", certify, "sh", certificates]).output()
        try #require(status.isSuccess, "\(text)")

        let server = try DisposableServer(parameters: [
            "listen_addresses": "127.0.0.1", "port": "\(port.number)", "ssl": "on", "ssl_cert_file": "\(certificates)/server.crt",
            "ssl_key_file": "\(certificates)/server.key", "hba_file": "\(certificates)/access",
        ])
        defer { do { try server.remove() } catch { Issue.record(error) } }
        try await body(
            EncryptedServer(
                port: port.number, authority: "\(certificates)/ours.crt", strangers: "\(certificates)/strangers.crt",
                socketDirectory: server.paths.socketDirectory))
    }

    /// Returns a TLS URL of the cluster for a host name, a port and the authority that the client trusts.
    func url(as host: String = "db.test", by port: UInt16? = nil, believing authority: String? = nil) throws -> DatabaseURL {
        let parameters = "hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert=\(authority ?? self.authority)"
        return try DatabaseURL(parsing: "postgresql://vitrine@\(host):\(port ?? self.port)/vitrine?\(parameters)")
    }

    /// The URL of the cluster without TLS, over the socket in its folder.
    var localURL: DatabaseURL {
        get throws { try DatabaseURL(parsing: "postgresql://vitrine@/vitrine?host=\(socketDirectory)&port=\(port)") }
    }
}
