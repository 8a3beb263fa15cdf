internal import Arguments
internal import JSON
internal import Values

extension AdminClient {
    /// The storefront that was asked for, or that of the profile, or the first that there is.
    func storefront(_ wanted: String?) async throws -> String {
        if let wanted = wanted ?? profile?.storefront { return wanted }
        guard let first = try await shown("storefronts")["storefronts"]?.elements.first(where: { _ in true })?["key"]?.string else {
            throw RemoteError(message: "the server has no storefronts", advice: "Import some first.", exitCode: .notFound)
        }
        return first
    }

    /// The language that was asked for, or that of the profile where its storefront is looked at.
    func locale(_ wanted: String?, in storefront: String?) -> String? {
        if let wanted { return wanted }
        let isOfProfile = storefront == nil || storefront == profile?.storefront || profile?.storefront == nil
        return isOfProfile ? profile?.locale : nil
    }

    /// Items as a storefront shows them, by their ids; those that it does not show are missing.
    func items(_ ids: [String], in storefront: String, _ locale: String?) async throws -> [String: JSONValue] {
        var items: [String: JSONValue] = [:]
        for start in stride(from: 0, to: ids.count, by: Self.mostItems) {
            let words = ids[start..<min(start + Self.mostItems, ids.count)].joined(separator: ",")
            let page = try await shown(
                "\(storefront.percentEncoded())/items", [(name: "ids", value: words), (name: "locale", value: locale)])
            for item in page["items"]?.elements.map({ JSONValue($0) }) ?? [] { items[item["id"]?.text ?? ""] = item }
        }
        return items
    }

    private static let mostItems = 50
}
