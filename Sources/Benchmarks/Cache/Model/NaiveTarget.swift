import Foundation

/// A target in the model, as `docs/feeds.md` describes it. It shares no code with the target `Resolve`.
struct NaiveTarget: @unchecked Sendable {
    // Unchecked: the values are never mutated after they are parsed.
    private let conditions: [String: Any]

    init(_ conditions: [String: Any]) { self.conditions = conditions }

    func includes(_ client: TrialClient, _ experiments: NaiveExperiments) -> Bool {
        conditions.allSatisfy { name, value in
            switch name {
            case "storefronts": Self.names(value).contains(client.storefront)
            case "locales": Self.names(value).contains(client.locale)
            case "platforms": client.platform.map { Self.names(value).contains($0) } ?? false
            case "appVersion": client.app.map { Self.isVersion($0, in: value) } ?? false
            case "os": client.os.map { Self.isVersion($0, in: value) } ?? false
            case "tags": client.tags.map { !Set($0).isDisjoint(with: Self.names(value)) } ?? false
            case "experiment":
                (value as? [String: [String]])?.allSatisfy { key, arms in
                    experiments.arm(of: client, in: key).map(arms.contains) ?? false
                } ?? false
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

    /// Returns the place by the steps of `docs/feeds.md`.
    static func place(of client: String, in salt: String) -> Int {
        var h: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "\(salt)/\(client)".utf8 { h = (h ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for factor: UInt64 in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] { h = (h ^ h / 0x2_0000_0000) &* factor }
        return Int((h ^ h / 0x2_0000_0000) % 100)
    }
}

/// The experiments of a feed in the model.
struct NaiveExperiments: Sendable {
    private struct Experiment {
        var salt: String
        var arms: [String: [[Int]]]
        var standard: String
        var state: String
        var winner: String?

        init?(_ values: Any) {
            guard let values = values as? [String: Any], let standard = values["default"] as? String else { return nil }
            self.standard = standard
            salt = values["salt"] as? String ?? ""
            arms = values["arms"] as? [String: [[Int]]] ?? [:]
            state = values["state"] as? String ?? ""
            winner = values["winner"] as? String
        }
    }

    private let experiments: [String: Experiment]
    private let holdout: (salt: String, share: Int)

    init(_ feed: [String: Any]) {
        experiments = (feed["experiments"] as? [String: Any] ?? [:]).compactMapValues(Experiment.init)
        let holdout = feed["holdout"] as? [String: Any]
        self.holdout = (holdout?["salt"] as? String ?? "", holdout?["share"] as? Int ?? 0)
    }

    /// Returns the arm of a client, or nil if the feed has no such experiment.
    func arm(of client: TrialClient, in key: String) -> String? {
        guard let experiment = experiments[key] else { return nil }
        if experiment.state == "concluded" { return experiment.winner }
        guard experiment.state == "running", let id = client.id else { return experiment.standard }
        if NaiveTarget.place(of: id, in: holdout.salt) < holdout.share { return experiment.standard }
        let place = NaiveTarget.place(of: id, in: experiment.salt)
        return experiment.arms.first { $0.value.contains { $0[0] <= place && place < $0[1] } }?.key
    }
}
