import Foundation

/// A target in the model, as `docs/feeds.md` describes it. It shares no code with the target `Resolve`.
struct NaiveTarget: @unchecked Sendable {
    // Unchecked: the values are never mutated after they are parsed.
    private let conditions: [String: Any]

    init(_ conditions: [String: Any]) { self.conditions = conditions }

    func includes(_ client: TrialClient) -> Bool {
        conditions.allSatisfy { name, value in
            switch name {
            case "storefronts": Self.names(value).contains(client.storefront)
            case "locales": Self.names(value).contains(client.locale)
            case "platforms": client.platform.map { Self.names(value).contains($0) } ?? false
            case "appVersion": client.app.map { Self.isVersion($0, in: value) } ?? false
            case "os": client.os.map { Self.isVersion($0, in: value) } ?? false
            case "tags": client.tags.map { !Set($0).isDisjoint(with: Self.names(value)) } ?? false
            case "bucket": client.id.map { Self.isClient($0, in: value) } ?? false
            default: false
            }
        }
    }

    private static func names(_ value: Any) -> [String] { value as? [String] ?? [] }

    /// Compares versions after each has four numbers.
    private static func isVersion(_ text: String, in range: Any) -> Bool {
        func number(_ text: some StringProtocol) -> Int {
            let parts = text.split(separator: ".").map { Int($0) ?? 0 } + [0, 0, 0, 0]
            return parts.prefix(4).reduce(0) { $0 * 1_000 + $1 }
        }
        let version = number(text)
        return (range as? String ?? "").split(separator: " ").allSatisfy { bound in
            if bound.hasPrefix(">=") { return version >= number(bound.dropFirst(2)) }
            return bound.hasPrefix("<") ? version < number(bound.dropFirst()) : version == number(bound.dropFirst())
        }
    }

    private static func isClient(_ id: String, in bucket: Any) -> Bool {
        guard let bucket = bucket as? [String: Any], let name = bucket["experiment"] as? String, let from = bucket["from"] as? Int,
            let to = bucket["to"] as? Int
        else { return false }
        return (from..<to).contains(place(of: id, in: name))
    }

    /// Returns the bucket by the steps of `docs/feeds.md`.
    static func place(of client: String, in experiment: String) -> Int {
        var h: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "\(experiment)/\(client)".utf8 { h = (h ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for factor: UInt64 in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] { h = (h ^ h / 0x2_0000_0000) &* factor }
        return Int((h ^ h / 0x2_0000_0000) % 100)
    }
}
