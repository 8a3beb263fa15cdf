import HTTP
import JSON
import Testing

@testable import CLI

/// The selection of a server and of the token for it.
@Suite struct ServerSelectionTests {
    private let flag: ServerURL
    private let variable: ServerURL
    private let staging: Profile
    private let dev: Profile

    init() throws {
        flag = try ServerURL(parsing: "https://flag.example")
        variable = try ServerURL(parsing: "https://variable.example")
        staging = Profile(
            name: try #require(ProfileName("staging")), server: try ServerURL(parsing: "https://staging.example"), tokenFile: "/staging")
        dev = Profile(name: .dev, server: try ServerURL(parsing: "http://127.0.0.1:4000"), tokenFile: "/dev")
    }

    private func chosen(_ inputs: ServerSelection.Inputs, folder: Profile? = nil, isUsed: Bool = true) throws -> ServerSelection {
        var book = ProfileStore()
        if isUsed { book.set(staging) }
        return try ServerSelection(inputs, folder: { folder }, book: { book })
    }

    @Test("A flag overrides a variable, which overrides the folder, the selected profile and the default, in this order")
    func order() throws {
        var inputs = ServerSelection.Inputs()
        #expect(try chosen(inputs, isUsed: false).origin == .usual)
        #expect(try chosen(inputs, isUsed: false).server == .usual)
        #expect(try chosen(inputs).origin == .profile(staging.name, .use))
        #expect(try chosen(inputs, folder: dev).origin == .profile(.dev, .folder))
        inputs.profile.variable = staging.name
        #expect(try chosen(inputs, folder: dev).origin == .profile(staging.name, .variable))
        inputs.server.variable = variable
        #expect(try chosen(inputs, folder: dev).server == variable)
        inputs.profile.flag = .dev
        #expect(try chosen(inputs, folder: dev).origin == .profile(.dev, .flag))
        inputs.server.flag = flag
        let all = try chosen(inputs, folder: dev)
        #expect(all.server == flag && all.profile == nil && all.origin == .flag)
    }

    @Test("A token of the environment overrides that of the selected profile, but is never sent to a folder's server")
    func tokens() throws {
        var inputs = ServerSelection.Inputs(hasTokenVariable: true)
        #expect(try chosen(inputs).token == .variable)
        #expect(try chosen(inputs, folder: dev).token == .file("/dev", variable: false))
        #expect(try chosen(inputs, folder: Profile(name: .dev, server: dev.server)).token == .nowhere)
        inputs.tokenFile.variable = "/variable"
        #expect(try chosen(inputs).token == .file("/variable", variable: true))
        inputs.profile.flag = staging.name
        #expect(try chosen(inputs).token == .file("/staging", variable: false))
        inputs.tokenFile.flag = "-"
        #expect(try chosen(inputs, folder: dev).token == .file("-", variable: false))
        #expect(try chosen(ServerSelection.Inputs(server: .init(flag: flag))).token == .nowhere)
    }

    @Test("An unknown profile is named in the error, and unneeded profiles are not read")
    func unknown() throws {
        struct Unreadable: Error {}
        #expect(throws: ServerSelection.UnknownProfile(name: .dev, isVariable: true)) {
            try chosen(ServerSelection.Inputs(profile: .init(variable: .dev)))
        }
        let inputs = ServerSelection.Inputs(server: .init(flag: flag))
        #expect(throws: Never.self) { try ServerSelection(inputs, folder: { throw Unreadable() }, book: { throw Unreadable() }) }
    }

    @Test(
        "A token is sent without encryption only to this machine, unless the profile allows it",
        arguments: [
            ("http://127.0.0.1:80", true), ("http://localhost:80", true), ("http://[::1]:80", true), ("unix:/run/vitrine", true),
            ("https://shop.example", true), ("http://shop.example", false), ("http://127.0.0.1.shop.example", false),
            ("http://127.shop.0.1", false), ("http://10.0.0.1", false),
        ])
    func encryption(server: String, isFine: Bool) throws {
        let server = try ServerURL(parsing: server)
        #expect(try chosen(ServerSelection.Inputs(server: .init(flag: server))).mayHaveToken == isFine)
        let profile = Profile(name: staging.name, server: server, isInsecure: true)
        #expect(try chosen(ServerSelection.Inputs(), folder: profile).mayHaveToken)
    }

    @Test("Profiles are stored without loss, and a removed one is no longer selected")
    func book() throws {
        var book = ProfileStore()
        book.set(staging)
        var other = Profile(name: try #require(ProfileName("a.b-c_1")), server: flag, storefront: "us", locale: "de")
        other.isInsecure = true
        book.set(other)
        #expect(book.inUse == staging.name)
        #expect(try ProfileStore(parsing: book.json()) == book)
        #expect(book.use(other.name) && !book.use(.dev))
        #expect(book.remove(other.name) == other && book.inUse == nil)
        #expect(ProfileName("") == nil && ProfileName("../a") == nil && ProfileName("-a") == nil && ProfileName("a/b") == nil)
    }
}
