package import HTTPMessages
internal import Synchronization

/// One state of a resource, ready to be sent any number of times. It stores its bytes, and each content coding of them
/// from the first request that prefers it.
///
/// A coding has its own tag before its bytes are compressed, so that evaluating a condition costs no compression.
/// Compressed bytes are found without a lock, so a thread of low priority that compresses never blocks an event loop.
package final class Representation: Sendable {
    /// The tag and the fields of a coding, known before its bytes.
    private struct Label {
        let tag: EntityTag
        let fields: PrebuiltHeaders
        /// The fields of a 304, which do not describe the bytes.
        let unchangedFields: PrebuiltHeaders

        init(_ coding: ContentCoding, tag: String, _ type: String, _ others: [ResponseField]) {
            self.tag = EntityTag(tag)
            let encoding = coding == .identity ? [] : [ResponseField(.contentEncoding, coding.description)]
            let both = [ResponseField(.etag, self.tag.description)] + others
            fields = PrebuiltHeaders([ResponseField(.contentType, type)] + encoding + both)
            unchangedFields = PrebuiltHeaders(both)
        }
    }

    /// A compression that a client needs. Equal values yield the same bytes.
    package struct Compression: Hashable, Sendable {
        fileprivate let coding: ContentCoding
        fileprivate let version: String
        fileprivate let content: SharedBytes

        /// A version identifies a state of one resource, so the bytes are compared as well.
        package static func == (one: Compression, other: Compression) -> Bool {
            one.coding == other.coding && one.version == other.version && one.content.isEqual(to: other.content)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(coding)
            hasher.combine(version)
        }
    }

    private final class Variant: Sendable {
        let label: Label
        let body: Body

        init(_ label: Label, _ body: Body) {
            self.label = label
            self.body = body
        }
    }

    /// The variants of one coding, each made once.
    private struct Slot: ~Copyable {
        let quick = AtomicLazyReference<Variant>()
        let thorough = AtomicLazyReference<Variant>()

        var best: Variant? { thorough.load() ?? quick.load() }
    }

    /// The size from which bodies are compressed. Smaller ones fit into one packet anyway.
    private static let compressedFrom = 512

    private let identity: Variant
    private let content: SharedBytes?
    private let version: String
    private let type: String
    private let others: [ResponseField]
    private let gzip = Slot()
    private let br = Slot()
    /// Whether the representation still exists, for those that must not keep it.
    let existence = Existence()

    /// A flag that costs its readers a load, where a weak reference costs several counts.
    final class Existence: Sendable {
        private let flag = Atomic(true)

        var isOver: Bool { !flag.load(ordering: .relaxed) }

        fileprivate func end() { flag.store(false, ordering: .relaxed) }
    }

    deinit { existence.end() }

    /// Creates a representation. Without an effort it is never compressed. A thorough effort compresses on first use,
    /// and takes its time.
    ///
    /// `version` distinguishes this state from all others of the resource. Each coding has its own tag made from it,
    /// because the tags are strong. `vary` is nil if the sender adds the field itself.
    package init(
        _ bytes: [UInt8], type: String, version: String, fields: [ResponseField] = [],
        vary: ResponseField? = Representation.vary(), effort: ContentCoding.CompressionLevel?
    ) {
        let others = (vary.map { [$0] } ?? []) + fields
        let body = Body(bytes)
        identity = Variant(Label(.identity, tag: version, type, others), body)
        if case .stored(let stored) = body, effort != nil, stored.count >= Self.compressedFrom { content = stored } else { content = nil }
        self.version = version
        self.type = type
        self.others = others
        if effort == .thorough { compressThoroughly() }
    }

    /// Returns the `vary` field of a representation that also depends on these request fields.
    package static func vary(_ names: [String] = []) -> ResponseField {
        ResponseField(.vary, (["accept-encoding"] + names).joined(separator: ", "))
    }

    package var count: Int { identity.body.count ?? 0 }

    /// The approximate size in memory with all codings, in bytes.
    package var bytes: Int { content == nil ? count : 2 * count }

    // MARK: Responses

    /// Returns the bytes in the coding that the client prefers, 304 if the client already has them, or 412 if it
    /// expected others.
    package func response(to head: RequestHead) -> Response {
        if let response = response(to: head, compressingUpTo: .max) { return response }
        preconditionFailure("nothing is larger than the largest size")
    }

    /// Returns the same response; nil if more than `limit` bytes would have to be compressed for it.
    package func response(to head: RequestHead, compressingUpTo limit: Int) -> Response? {
        let coding = preferredCoding(of: head)
        switch coding {
        case .identity: return response(of: identity, to: head)
        case .br: if let made = br.best { return response(of: made, to: head) }
        case .gzip: if let made = gzip.best { return response(of: made, to: head) }
        }
        let label = label(coding, .quick)
        switch Precondition(of: head.fields, method: head.method, current: label.tag) {
        case .notModified: return Response(.notModified, prepared: label.unchangedFields)
        case .failed: return Response(.preconditionFailed)
        case .proceed: return count <= limit ? response(of: compress(coding, .quick), to: head) : nil
        }
    }

    /// Returns the response without a coding, for a client that cannot wait for the compression.
    package func plainResponse(to head: RequestHead) -> Response { response(of: identity, to: head) }

    private func response(of variant: Variant, to head: RequestHead) -> Response {
        switch Precondition(of: head.fields, method: head.method, current: variant.label.tag) {
        case .proceed: Response(.ok, prepared: variant.label.fields, body: variant.body)
        case .notModified: Response(.notModified, prepared: variant.label.unchangedFields)
        case .failed: Response(.preconditionFailed)
        }
    }

    /// Returns the preferred coding. A client that also rejects `identity` still receives it, which RFC 9110 prefers to
    /// an error.
    private func preferredCoding(of head: RequestHead) -> ContentCoding {
        guard content != nil else { return .identity }
        return AcceptedCodings(head.fields).preferred { _ in true } ?? .identity
    }

    // MARK: Compression

    /// Returns the compression that a client needs; nil if it needs none or if it is already done.
    package func compression(for head: RequestHead) -> Compression? {
        let coding = preferredCoding(of: head)
        guard coding != .identity, load(coding, .quick) == nil, let content else { return nil }
        return Compression(coding: coding, version: version, content: content)
    }

    /// Compresses the bytes unless that is already done.
    package func compress(_ compression: Compression) { _ = compress(compression.coding, .quick) }

    /// Adopts the compressed bytes of another representation, which must have the same compression.
    package func adopt(_ compression: Compression, from other: Representation) {
        guard let made = other.load(compression.coding, .quick) else { return }
        store(made === other.identity ? identity : Variant(label(compression.coding, .quick), made.body), compression.coding, .quick)
    }

    /// Compresses the bytes in all codings as well as possible. This takes some tenths of a second for a page, and
    /// waits for no other thread.
    package func compressThoroughly() {
        for coding in [ContentCoding.br, .gzip] where content != nil { _ = compress(coding, .thorough) }
    }

    /// Whether all codings are compressed as well as possible, or the bytes are never compressed.
    package var isThorough: Bool { content == nil || br.thorough.load() != nil && gzip.thorough.load() != nil }

    /// Returns the compressed variant. Bytes that do not become smaller are sent unchanged.
    private func compress(_ coding: ContentCoding, _ effort: ContentCoding.CompressionLevel) -> Variant {
        if let made = load(coding, effort) { return made }
        guard let content else { return identity }
        var variant = identity
        if let compressed = coding.compress(content.array, effort), compressed.count < content.count {
            variant = Variant(label(coding, effort), Body(compressed))
        }
        return store(variant, coding, effort)
    }

    @discardableResult
    private func store(_ variant: Variant, _ coding: ContentCoding, _ effort: ContentCoding.CompressionLevel) -> Variant {
        switch (coding, effort) {
        case (.br, .quick): br.quick.storeIfNil(variant)
        case (.br, .thorough): br.thorough.storeIfNil(variant)
        case (.gzip, .quick): gzip.quick.storeIfNil(variant)
        case (.gzip, .thorough): gzip.thorough.storeIfNil(variant)
        case (.identity, _): identity
        }
    }

    private func load(_ coding: ContentCoding, _ effort: ContentCoding.CompressionLevel) -> Variant? {
        switch (coding, effort) {
        case (.br, .quick): br.quick.load()
        case (.br, .thorough): br.thorough.load()
        case (.gzip, .quick): gzip.quick.load()
        case (.gzip, .thorough): gzip.thorough.load()
        case (.identity, _): identity
        }
    }

    /// A tag identifies bytes, and each effort yields other bytes.
    private func label(_ coding: ContentCoding, _ effort: ContentCoding.CompressionLevel) -> Label {
        Label(coding, tag: effort == .quick ? "\(version)-\(coding)-quick" : "\(version)-\(coding)", type, others)
    }
}
