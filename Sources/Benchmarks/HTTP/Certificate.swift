import Host

/// A self-signed certificate with its key.
struct Certificate {
    let chain: String
    let key: String

    init(in folder: String) throws {
        chain = "\(folder)/cert.pem"
        key = "\(folder)/key.pem"
        let made = try ProcessLaunch(
            "openssl",
            ["req", "-x509", "-subj", "/CN=localhost", "-days", "2", "-out", chain, "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
                + ["-nodes", "-keyout", key]
        ).output()
        guard made.status.isSuccess else { throw BenchmarkFailure(reason: "openssl: \(made.text)") }
    }
}
