/// The parts of an absolute URL as it was written.
struct URLParts {
    /// The scheme, in lower case, with the host and the port.
    let server: String
    /// The path, which starts with a slash, with the query and the fragment.
    let target: String

    /// Returns nil if the text does not start with a scheme and `://`.
    init?(_ text: String) {
        let scheme = text.prefix { $0.isASCII && $0.isLetter }
        guard !scheme.isEmpty, text[scheme.endIndex...].hasPrefix("://") else { return nil }
        let authority = text[scheme.endIndex...].dropFirst(3)
        let rest = authority.drop { !"/?#".contains($0) }
        server = "\(scheme.lowercased())://\(authority[..<rest.startIndex])"
        target = (rest.hasPrefix("/") ? "" : "/") + rest
    }
}
