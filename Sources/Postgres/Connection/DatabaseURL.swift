package import Arguments
package import Telemetry
internal import Values

/// Where a PostgreSQL is and who asks, as libpq reads it from a URL; shows itself without its password.
package struct DatabaseURL: Sendable, Hashable {
    /// One of the servers that are tried in order.
    package struct Host: Sendable, Hashable {
        /// A name, an address or, opening with a slash, the directory of a socket; empty for libpq's own choice.
        package let name: String
        /// Nil for the standard port.
        package let port: Int?

        package var isSocketDirectory: Bool { name.utf8.first == UInt8(ascii: "/") }
    }

    /// A connection parameter of the query that is no secret and has no property of its own.
    package struct Parameter: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    /// Never empty.
    package let hosts: [Host]
    package let user: String?
    package let database: String?
    /// In the order of the text.
    package let parameters: [Parameter]
    /// Whether the text holds anything that must stay secret.
    package let hasPassword: Bool
    /// The URL with `•••` in the place of each secret.
    package let redacted: String
    /// The password of the user's part, for a program that takes it apart from the URL.
    package let password: Secret?
    /// What may stand in a list of processes; nil where a secret stands in the query and cannot be told apart.
    package let textWithoutPassword: String?
    private let secret: Secret

    /// The URL with its password, for the driver alone.
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
    /// Reads `postgresql://` and `postgres://` by the rules of libpq, stricter where those would take a part of a password for something else.
    ///
    /// No error holds any part of the text.
    package init(parsing text: String) throws(InvalidValue) {
        var parser = try DatabaseURLParser(text)
        try parser.parse()
        self.init(parser, hosts: try parser.hosts(), text: text)
    }
}
