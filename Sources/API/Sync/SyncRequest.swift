internal import Feeds
internal import HTTPMessages
internal import Items
internal import Sync

struct SyncRequest {
    static let usualLimit = 200
    private static let maxFeeds = 20
    private static let maxBuckets = 256

    let scope: SyncScope
    var cursor: SyncCursor?
    var limit = usualLimit
    var wait = Duration.zero
    /// The indices of the digest buckets; nil if all are requested.
    var buckets: [Int]?
    var bits: Int?

    /// Reads the parameters. For a stream, `Last-Event-ID` is the cursor of a client that reconnects, and replaces the
    /// one in the query. Other calls ignore it.
    init(_ context: RequestContext, _ service: SyncService, known: [String], isStream: Bool = false) throws {
        guard let state = service.pages.current else {
            throw Problem(.unavailable, code: "notReady", detail: "The server has not loaded its pages yet. Try again later.")
        }
        var parameters = QueryParameters(context.head.target.query, known: known)
        limit =
            parameters.integer("limit", in: 1...service.limits.maxChanges, clamps: true)
            ?? min(Self.usualLimit, service.limits.maxChanges)
        wait = .seconds(parameters.integer("wait", in: 0...60) ?? 0)
        let feeds = Self.feeds(&parameters)
        let hasLists = Self.hasLists(&parameters)
        bits = parameters.integer("bits", in: 0...SyncDigests.maxBits)
        buckets = Self.buckets(&parameters, bits)
        try parameters.finish()
        guard let storefront = state.storefronts[context.parameters["storefront"]] else { throw Problem.unknownStorefront }
        scope = SyncScope(storefront: storefront.key, feeds: feeds, hasLists: hasLists, locale: try storefront.locale(of: context))
        let lastEvent = isStream ? context.head.fields["last-event-id"] : nil
        guard let text = lastEvent ?? parameters["cursor"] else { return }
        do throws(CursorCodec.Failure) {
            cursor = try service.codec.cursor(of: text, in: scope)
        } catch {
            switch error {
            case .damaged:
                throw Problem(parameter: "cursor", code: "invalidCursor", "is invalid; start again without a cursor")
            case .ofAnotherScope:
                throw Problem(
                    parameter: "cursor", code: "cursorScopeMismatch",
                    "belongs to another sync scope; send it with the storefront, locale, feeds and lists of the request that returned it")
            case .ofUnknownKey: throw SyncExpiry(.keyRetired, .full)
            case .ofAnotherSchema: throw SyncExpiry(.schemaChanged, .full)
            }
        }
    }

    private static func feeds(_ parameters: inout QueryParameters) -> [String]? {
        guard let text = parameters["feeds"] else { return nil }
        let feeds = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard feeds.count <= maxFeeds, feeds.allSatisfy({ FeedKey($0) != nil }) else {
            parameters.refuse("feeds", "expected up to \(maxFeeds) feed keys, separated by commas")
            return nil
        }
        return feeds
    }

    /// Whether the lists of the feeds are requested, with the value 1.
    private static func hasLists(_ parameters: inout QueryParameters) -> Bool {
        guard parameters.integer("lists", in: 0...1) == 1 else { return false }
        if parameters["feeds"] == nil { parameters.refuse("feeds", "is required with lists, because only feeds have lists") }
        return true
    }

    private static func buckets(_ parameters: inout QueryParameters, _ bits: Int?) -> [Int]? {
        guard let text = parameters["buckets"] else { return nil }
        guard let bits else {
            parameters.refuse("bits", "is required with buckets: the number of bits of a bucket number")
            return nil
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { word in
            word.utf8.count <= 5 && word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ? Int(word) : nil
        }
        guard numbers.count == parts.count, numbers.count <= maxBuckets, numbers.allSatisfy({ $0 < 1 << bits }) else {
            parameters.refuse("buckets", "expected up to \(maxBuckets) numbers below \(1 << bits), separated by commas")
            return nil
        }
        return Array(Set(numbers)).sorted()
    }
}
