package import Arguments
package import Telemetry
internal import Values

/// The address and credentials of a PostgreSQL database, parsed from a URL as libpq does. Its description omits
/// secrets.
package struct DatabaseURL: Sendable, Hashable {
    /// One of the servers, which are tried in order.
    package struct Host: Sendable, Hashable {
        /// A name, an address or a socket directory, which begins with a slash. Empty for libpq's default.
        package let name: String
        /// The port. nil if it is the standard port.
        package let port: Int?

        package var isSocketDirectory: Bool { name.utf8.first == UInt8(ascii: "/") }
    }

    /// A non-secret connection parameter from the query string that has no property of its own.
    package struct Parameter: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    /// The servers, at least one.
    package let hosts: [Host]
    package let user: String?
    package let database: String?
    /// The parameters in the order of the text.
    package let parameters: [Parameter]
    /// Whether the text contains any secret.
    package let hasPassword: Bool
    /// The URL with each secret replaced by `•••`.
    package let redacted: String
    /// The password of the user part, for a program that receives it separately from the URL.
    package let password: Secret?
    /// The URL without its password, safe to show in a process list. nil if the query string contains a secret.
    package let textWithoutPassword: String?
    private let secret: Secret

    /// The URL with its secrets, for the driver only.
    package var exposed: String { secret.exposed }

    init(_ parser: DatabaseURLParser, hosts: [Host], text: String) {
        self.hosts = hosts
        user = parser.user
        database = parser.database
        parameters = parser.parameters
        hasPassword = !parser.secrets.isEmpty
        redacted = parser.redactedText.printable()
        password = parser.password.map { Secret($0.text) }
        textWithoutPassword = parser.textWithoutPassword
        secret = Secret(text)
    }
}

extension DatabaseURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { redacted }

    package var debugDescription: String { redacted }

    package var customMirror: Mirror { Mirror(self, children: ["redacted": redacted]) }
}

extension DatabaseURL {
    /// Parses `postgresql://` and `postgres://` by the rules of libpq. Rejects text from which libpq would read a part
    /// of the password as something else.
    ///
    /// No error contains any part of the text.
    package init(parsing text: String) throws(InvalidValue) {
        var parser = try DatabaseURLParser(text)
        try parser.parse()
        self.init(parser, hosts: try parser.hosts(), text: text)
    }
}
