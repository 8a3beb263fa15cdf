internal import Items
internal import Values

/// The fingerprints of the names of an item, each of which only one record of a file can have. They are the same in every
/// process, because they are stored with the line of the item. The lowest bit of each is set, so none is zero.
struct ItemNames: Sendable, Equatable {
    /// The explicit ID of a record.
    struct ExplicitID: Sendable, Equatable {
        /// The fingerprint of the whole ID.
        let whole: UInt64
        /// The half of the ID that is compared with IDs that are derived from sources.
        let half: UInt64

        init(whole: UInt64, half: UInt64) {
            self.whole = whole
            self.half = half
        }

        init(_ id: UUID) {
            whole = ItemNames.mixed(id.high ^ ItemNames.mixed(id.low)) | 1
            half = id.low | 1
        }
    }

    let kind: ItemKind
    /// The half of the ID that is derived from kind and source.
    let source: UInt64
    let slug: UInt64
    let id: ExplicitID?
    let serialNumber: UInt64?

    init(kind: ItemKind, source: UInt64, slug: UInt64, id: ExplicitID?, serialNumber: UInt64?) {
        self.kind = kind
        self.source = source
        self.slug = slug
        self.id = id
        self.serialNumber = serialNumber
    }

    init(_ kind: ItemKind, id: UUID?, serialNumber: Int64?, derivedID: UUID, slug: UInt64) {
        self.init(
            kind: kind, source: derivedID.low | 1, slug: slug | 1, id: id.map { ExplicitID($0) },
            serialNumber: serialNumber.map { Self.mixed(UInt64(bitPattern: $0)) | 1 })
    }

    /// Returns the final step of SplitMix64, which is a bijection.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var z = number
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension ItemNames {
    /// The number of words of an item without an ID and a serial number, and with one of them.
    static let wordCounts = (short: 2, long: 5)

    /// The words in the order in which they are stored. The lowest bit of the first one is the kind. An absent value is zero.
    var words: [UInt64] {
        let start = [source & ~1 | (kind == .foodApp ? 1 : 0), slug]
        return id == nil && serialNumber == nil ? start : start + [id?.whole ?? 0, id?.half ?? 0, serialNumber ?? 0]
    }

    init(words: ArraySlice<UInt64>) {
        let start = words.startIndex
        let kind: ItemKind = words[start] & 1 == 1 ? .foodApp : .topApp
        guard words.count == Self.wordCounts.long else {
            self.init(kind: kind, source: words[start] | 1, slug: words[start + 1], id: nil, serialNumber: nil)
            return
        }
        let id = words[start + 3] == 0 ? nil : ExplicitID(whole: words[start + 2], half: words[start + 3])
        self.init(
            kind: kind, source: words[start] | 1, slug: words[start + 1], id: id,
            serialNumber: words[start + 4] == 0 ? nil : words[start + 4])
    }
}
