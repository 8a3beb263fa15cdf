internal import Access
internal import Arguments
internal import HTTP
import Host
internal import JSON
internal import Server
internal import Telemetry

/// The profile that `vitrine dev` keeps in its folder while it runs, for commands in the same folder.
struct DevProfile {
    /// The variable by which commands find the folder, and the folder without it.
    static let variable = "VITRINE_POSTGRES_DIRECTORY"
    static let defaultFolder = ".vitrine/postgres"

    private let folder: String

    private var path: String { Path.join(folder, "profile.json") }
    private var tokenPath: String { Path.join(folder, "token") }

    /// Creates the profile of a folder, which is that of the embedded PostgreSQL.
    init(in folder: String) { self.folder = folder }

    /// Creates the profile of a server that was started from the current folder.
    init(_ environment: [String: String]) {
        let named = environment[Self.variable] ?? ""
        folder = named.isEmpty ? Self.defaultFolder : named
    }

    /// Returns the profile; nil if no `vitrine dev` runs here.
    ///
    /// The folder may come from another person. So whatever its file contains, the server is on this machine and the
    /// token is in the file next to it.
    func read() throws -> Profile? {
        guard FileStatus(following: path) != nil else { return nil }
        var profile = try ProfileFile.decode(path) { document throws(JSONError) in try document.decode(Reading.self).profile }
        guard profile.server.isLocal else {
            throw RemoteError(
                message: "\(path) names a server on another machine, so it was not written by vitrine dev",
                advice: "check where the file comes from, and remove it",
                exitCode: .notAllowed)
        }
        try refuseStrangeToken()
        profile.tokenFile = try Path.absolute(tokenPath)
        return profile
    }

    /// Throws if the token file is a link or has another owner. Its secret might belong to another server.
    private func refuseStrangeToken() throws {
        guard let status = FileStatus(ofLink: tokenPath) else { return }
        guard status.isRegular, status.owner == User.current.id else {
            throw RemoteError(
                message: "\(tokenPath) is not a regular file owned by \(User.current.name), so it was not written by vitrine dev",
                advice: "check where the file comes from, and remove it", exitCode: .notAllowed)
        }
    }

    /// Writes the profile. Writes nothing if the server has no address that commands on this machine can use.
    func write(of server: ServerRuntime) throws {
        let urls = server.addresses.compactMap { address in
            do throws(ServerURL.ParseError) { return try ServerURL(parsing: address) } catch { return nil }
        }
        guard let url = urls.first(where: \.isLocal) else { return }
        try ProfileFile.write(try Profile(name: .dev, server: url).json(.pretty) + [0x0A], to: path)
    }

    func remove() throws(HostError) { try Files.remove(path) }

    /// Returns the token that was stored last; nil if no token is stored.
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
