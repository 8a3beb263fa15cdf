internal import HTTPMessages

/// All of a request that the answer of a page may depend on, as it was sent: equal questions have equal answers.
struct PageCacheKey: Hashable, Sendable {
    private static let fields: [FieldName] = ["accept-language", "vitrine-client", "vitrine-layout"]
    /// A longer one is asked once.
    private static let longest = 1_024

    private let target: RequestTarget
    /// The fields, with what no field can have between them.
    private let words: [UInt8]
    /// About how many bytes it has.
    let count: Int

    /// Nil for one that is too long to be remembered.
    init?(_ head: RequestHead) {
        var words: [UInt8] = []
        words.reserveCapacity(64)
        for name in Self.fields {
            head.fields.forEach(name) { value in
                for index in value.indices { words.append(value[index]) }
                words.append(0x0A)
            }
            words.append(0)
        }
        let asked = head.target.query.items.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard words.count + asked <= Self.longest else { return nil }
        count = words.count + asked
        target = head.target
        self.words = words
    }
}
