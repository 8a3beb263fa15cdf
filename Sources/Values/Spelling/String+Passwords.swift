extension String {
    /// Whether this may be a URL or a connection string with a password that went astray; such a text stands in no message.
    package var mayHoldPassword: Bool {
        utf8.contains(UInt8(ascii: "@")) || ["://", "password=", "password ="].contains { utf8.contains($0.utf8) }
    }
}
