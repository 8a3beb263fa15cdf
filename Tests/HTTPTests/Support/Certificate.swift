import Host
import Security
import TestSupport

/// A self-signed certificate and its key, as files.
struct Certificate {
    let name: String
    let file: String
    let key: String

    init(_ name: String, in folder: TemporaryFolder) throws {
        self.name = name
        file = "\(folder.path)/\(name).pem"
        key = "\(folder.path)/\(name).key"
        let arguments = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        let subject = ["-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)", "-keyout", key, "-out", file]
        let (text, status) = try ProcessLaunch("openssl", arguments + subject).output(within: .seconds(30))
        guard status.isSuccess else { throw HostError(.notFound, "make", "a certificate: \(text)") }
    }

    func context() throws(TLSError) -> TLSContext { try TLSContext(certificate: file, key: key, protocols: ["h2", "http/1.1"]) }
}
