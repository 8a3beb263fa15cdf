internal import Access
internal import Arguments
internal import HTTP
import Host
internal import JSON
internal import Server
internal import Telemetry

/// The profile that `vitrine dev` keeps in its folder for as long as it runs, for commands that are run beside it.
struct DevProfile {
    private let folder: String

    private var path: String { Path.join(folder, "profile.json") }
    private var tokenPath: String { Path.join(folder, "token") }

    /// `folder` is that of the private PostgreSQL.
    init(in folder: String) { self.folder = folder }

    /// Where it would be of a server that was started from where the command is.
    init(_ environment: [String: String]) {
        let variable = environment["VITRINE_POSTGRES_DIRECTORY"] ?? ""
        folder = variable.isEmpty ? ".vitrine/postgres" : variable
    }

    /// Nil where no `vitrine dev` runs from here.
    ///
    /// A folder may be anybody's work: whatever its file says, the server is one of this machine, and the token the one beside it.
    func read() throws -> Profile? {
        guard FileStatus(following: path) != nil else { return nil }
        var profile = try ProfileFile.decode(path) { document throws(JSONError) in try document.decode(Reading.self).profile }
        guard profile.server.isLocal else {
            throw RemoteError(
                message: "\(path) names a server of another machine, which no vitrine dev does",
                advice: "Look where it comes from, and remove it.",
                exitCode: .notAllowed)
        }
        try refuseStrangeToken()
        profile.tokenFile = try Path.absolute(tokenPath)
        return profile
    }

    /// What leads elsewhere, or is another's, might have a secret that is for another server.
    private func refuseStrangeToken() throws {
        guard let status = FileStatus(ofLink: tokenPath) else { return }
        guard status.isRegular, status.owner == User.current.id else {
            throw RemoteError(
                message: "\(tokenPath) is no file of \(User.current.name)'s own, as vitrine dev makes it",
                advice: "Look where it comes from, and remove it.", exitCode: .notAllowed)
        }
    }

    /// A server that nobody can name from this machine is none that commands could find.
    func write(of server: ServerRuntime) throws {
        let urls = server.addresses.compactMap { address in
            do throws(ServerURL.ParseError) { return try ServerURL(parsing: address) } catch { return nil }
        }
        guard let url = urls.first(where: \.isLocal) else { return }
        try ProfileFile.write(try Profile(name: .dev, server: url).json(.pretty) + [0x0A], to: path)
    }

    func remove() throws(HostError) { try Files.remove(path) }

    /// The token that was kept last; nil where there is none.
    func token() throws(HostError) -> AccessToken? {
        guard FileStatus(following: tokenPath) != nil else { return nil }
        let text = String(decoding: try Files.read(tokenPath, limit: 4_096), as: UTF8.self)
        return AccessToken(text.split(whereSeparator: \.isWhitespace).joined())
    }

    func keep(_ token: AccessToken) throws(HostError) {
        try ProfileFile.write(Array("\(token.secret.exposed)\n".utf8), to: tokenPath)
    }

    private struct Reading: JSONDecodable {
        let profile: Profile
        init(from json: JSONReader) throws(JSONReadError) { profile = try Profile(.dev, from: json) }
    }
}
