internal import HTTP
internal import HTTPMessages

/// The commands to try after a rejected request.
struct RemoteAdvice {
    /// The feed of the request; FEED if it has none.
    let feed: String
    private let line: String?
    /// The flags by which a command selects the same server.
    private let flags: String

    /// Creates the advice for a request. The path and query of `target` name its feed and its line.
    init(target: String, flags: String) {
        let parts = target.split(separator: "?", maxSplits: 1)
        let path = parts.first?.split(separator: "/") ?? []
        let name = path.firstIndex(of: "feeds").flatMap { path[($0 + 1)...].first }
        feed = name.map { String($0.prefix { $0 != ":" }) } ?? "FEED"
        let query = parts.dropFirst().first?.split(separator: "&") ?? []
        line = query.first { $0.hasPrefix("line=") }.map { String($0.dropFirst("line=".count)) }
        self.flags = flags
    }

    /// Returns the lines of the advice for a problem code; nil if the server's own remedy is better.
    func lines(for response: InboundResponse, _ code: String?) -> [String]? {
        switch code {
        case "unknownFeed": ["list the feeds with 'vitrine feed ls\(flags)'"]
        case "unknownDraft" where line == "main":
            ["create the draft with 'vitrine feed create \(feed) --title LOCALE=TEXT\(flags)'"]
        case "unknownDraft":
            [
                "list the lines of the feed with 'vitrine feed show \(feed)\(flags)'",
                "start a line with 'vitrine export \(feed)\(flags) | vitrine feed create \(feed) --line \(line ?? "LINE") -f -\(flags)'",
            ]
        case "unknownRevision": ["list the revisions with 'vitrine rev ls \(feed)\(flags)'"]
        case "unknownPublication": ["list the publications with 'vitrine schedule ls \(feed)\(flags)'"]
        case "unknownItem": ["list the items with 'vitrine item ls --include-withdrawn\(flags)'"]
        case "unknownCategory": ["list the categories with 'vitrine category ls\(flags)'"]
        case "unknownChart": ["list the charts with 'vitrine chart ls\(flags)'"]
        case "unknownPlatform": ["list the platforms with 'vitrine platform ls\(flags)'"]
        case "unknownRatingScheme": ["list the rating schemes with 'vitrine rating-scheme ls\(flags)'"]
        case "unknownToken": ["list the tokens with 'vitrine token ls\(flags)'"]
        case "noPreviousRevision":
            [
                "choose a revision with 'vitrine rollback \(feed) --rev N\(flags)'",
                "list the revisions with 'vitrine rev ls \(feed)\(flags)'",
            ]
        case "feedArchived": ["restore the feed with 'vitrine feed restore \(feed)\(flags)'"]
        // The details name the fields and the options.
        case "invalidDocument", "invalidParameter": []
        default: lines(for: response)
        }
    }

    private func lines(for response: InboundResponse) -> [String]? {
        switch response.status {
        case .unauthorized: ["set \(RemoteSession.tokenVariable) or use --token-file; \(RemoteSession.tokenHint)"]
        case .tooManyRequests: response.retryAfter.map { ["try again in \($0) seconds"] }
        default: nil
        }
    }
}
