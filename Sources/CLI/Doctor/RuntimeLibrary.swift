import Host

/// A C library of Debian that Vitrine uses, and the source of its version.
struct RuntimeLibrary: Sendable {
    enum Version: Sendable {
        case text(symbol: String, argument: Int32 = 0)
        /// A function that returns a number such as 150018, which the closure formats.
        case number(symbol: String, @Sendable (Int) -> String)
        /// No function returns the version.
        case unknown
    }

    let name: String
    let file: String
    let package: String
    let version: Version

    static let all = [
        RuntimeLibrary(
            name: "libpq", file: "libpq.so.5", package: "libpq5",
            version: .number(symbol: "PQlibVersion") { "\($0 / 10_000).\($0 % 10_000)" }),
        RuntimeLibrary(
            name: "openssl", file: "libcrypto.so.3", package: "libssl3", version: .text(symbol: "OpenSSL_version", argument: 6)),
        RuntimeLibrary(
            name: "libevent", file: "libevent_core-2.1.so.7", package: "libevent-core-2.1-7", version: .text(symbol: "event_get_version")),
        RuntimeLibrary(name: "nghttp2", file: "libnghttp2.so.14", package: "libnghttp2-14", version: .unknown),
        RuntimeLibrary(name: "zlib", file: "libz.so.1", package: "zlib1g", version: .text(symbol: "zlibVersion")),
        RuntimeLibrary(
            name: "brotli", file: "libbrotlienc.so.1", package: "libbrotli1",
            version: .number(symbol: "BrotliEncoderVersion") { "\($0 >> 24).\(($0 >> 12) & 0xFFF).\($0 & 0xFFF)" }),
    ]

    var check: Check {
        guard SharedLibrary.isInstalled(file) else {
            return .attention(name, "not installed", "Install it: apt-get install \(package).")
        }
        return .ok(name, "\(foundVersion ?? "installed") (\(file))")
    }

    private var foundVersion: String? {
        switch version {
        case .text(let symbol, let argument): SharedLibrary.text(of: symbol, in: file, argument: argument)
        case .number(let symbol, let write): SharedLibrary.number(of: symbol, in: file).map(write)
        case .unknown: nil
        }
    }
}
