internal import HTTP
internal import JSON

/// A profile as a list tells it, with the reason why it is used.
struct ListedProfile: Sendable, JSONEncodable {
    let profile: Profile
    /// Nil where it is not.
    let usedAs: ServerSelection.Origin?

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", profile.name.description)
            json.member("server", profile.server.description)
            json.member("tokenFile", profile.tokenFile)
            json.member("insecure", profile.isInsecure, unless: false)
            json.member("storefront", profile.storefront)
            json.member("locale", profile.locale)
            json.member("used", usedAs != nil)
            json.member("because", reason)
        }
    }

    private var reason: String? {
        guard case .profile(_, let because)? = usedAs else { return nil }
        return switch because {
        case .flag: "by --profile"
        case .variable: "by \(RemoteSession.profileVariable)"
        case .folder: "vitrine dev runs in this folder"
        case .use: "by vitrine profile use"
        }
    }

    static let columns: [ListPage<ListedProfile>.Column] = [
        .init(title: "NAME") { $0.profile.name.description }, .init(title: "SERVER") { $0.profile.server.description },
        .init(title: "STOREFRONT", isWide: true) { $0.profile.storefront ?? "" },
        .init(title: "LOCALE", isWide: true) { $0.profile.locale ?? "" },
        .init(title: "TOKEN", isWide: true) { $0.profile.tokenFile ?? "" },
        .init(title: "USED") { $0.reason ?? "" },
    ]
}
