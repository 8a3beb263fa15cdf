internal import Arguments
internal import HTTP

extension ServerURL {
    /// Names a server; no setting, as a server has no use for it.
    static let variable = "VITRINE_SERVER"

    static let option = Option(
        "server", .server, default: .usual, environment: variable, "The server, as http://host:port or unix:/path.")

    /// Where `vitrine dev` listens unless told otherwise.
    static let usual: ServerURL = {
        do throws(Mistake) { return try ServerURL(parsing: "http://127.0.0.1:8080") } catch { preconditionFailure("it is a URL") }
    }()
}

extension ValueFormat<ServerURL> {
    static var server: ValueFormat {
        ValueFormat(
            "URL",
            read: { text throws(InvalidValue) in
                do throws(ServerURL.Mistake) { return try ServerURL(parsing: text) } catch {
                    throw InvalidValue(expected: error.expectation)
                }
            },
            write: \.description)
    }
}
