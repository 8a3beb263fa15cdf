internal import JSON
internal import Values

/// The digests of a scope's buckets.
struct DigestsResponse {
    /// So many bits are more than any server counts by.
    private static let mostBits = 20

    let bits: Int
    let buckets: [CopyDigest]

    init(_ body: [UInt8]) throws(ResponseDecoder.Refusal) {
        let root = try ResponseDecoder(body).root
        bits = try root.count("bits", in: 0...Self.mostBits)
        guard let text = root["buckets"]?.string, let bytes = Base64URL.decode(text), bytes.count == CopyDigest.byteCount << bits else {
            throw ResponseDecoder.Refusal(reason: "the buckets are not as many as their bits tell")
        }
        buckets = stride(from: 0, to: bytes.count, by: CopyDigest.byteCount).map { CopyDigest(bytes[$0..<($0 + CopyDigest.byteCount)]) }
    }

    /// The buckets in which a copy holds something else.
    func differences(from copy: LocalCopy) -> [Int] {
        zip(buckets, copy.digests(bits: bits)).enumerated().compactMap { place, pair in pair.0 == pair.1 ? nil : place }
    }
}
