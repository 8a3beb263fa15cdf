internal import JSON

/// Parts of records that are the same in many of them, written once.
struct SyntheticPhrases: Sendable {
    /// Amounts by storefront; those of apps are there as often as log-normal prices would round to them.
    let priceTiers: [[[UInt8]]]
    let minimumTiers: [[[UInt8]]]
    let feeTiers: [[[UInt8]]]
    let always = Array("[{}]".utf8)
    let windows: [[UInt8]]
    let platforms: [[UInt8]]
    let openingHours: [[UInt8]]

    init(_ storefronts: [SampleShops.Storefront]) {
        let tier = { (cents: Int) in
            storefronts.map { Self.json(Money(amountMinor: Self.amount(cents, $0.currency), currency: $0.currency)) }
        }
        let often = [
            (99, 8), (199, 14), (299, 17), (399, 15), (499, 14), (699, 10), (999, 9), (1_499, 5), (1_999, 4), (2_999, 2), (4_999, 1),
            (9_999, 1),
        ]
        priceTiers = often.flatMap { cents, count in Array(repeating: tier(cents), count: count) }
        minimumTiers = [800, 1_400, 2_500, 6_000].map(tier)
        feeTiers = [0, 99, 149, 199, 199, 249, 299, 399].map(tier)
        windows = [
            #"[{"from":"2026-06-01T00:00:00Z"}]"#, #"[{"until":"2027-06-01T00:00:00Z"}]"#,
            #"[{"from":"2026-11-01T00:00:00Z","until":"2027-02-01T00:00:00Z"}]"#, #"[{"until":"2026-03-01T00:00:00Z"}]"#,
            #"[{"from":"2026-03-01T00:00:00Z","until":"2026-09-01T00:00:00Z"},{"from":"2027-03-01T00:00:00Z"}]"#,
        ].map { Array($0.utf8) }
        platforms = [
            #"["ios"]"#, #"["ios"]"#, #"["ios","ipados"]"#, #"["ios","ipados"]"#, #"["ios","ipados","macos"]"#,
            #"["ios","ipados","watchos"]"#,
            #"["ios","android"]"#, #"["macos"]"#, #"["macos","linux"]"#, #"["ios","ipados","tvos"]"#, #"["ios","ipados","visionos"]"#,
        ].map { Array($0.utf8) }
        openingHours = [
            Self.hours("11:00", "22:00"), Self.hours("11:00", "23:00"), Self.hours("12:00", "00:00"), Self.hours("07:00", "15:00"),
            Self.hours("17:00", "02:00"), Self.hours("00:00", "00:00"), Self.hours("11:30", "14:30", "17:30", "22:30"),
        ]
    }

    private struct Money: JSONEncodable {
        let amountMinor: Int
        let currency: String

        func encode(to json: inout JSONWriter) {
            json.object {
                $0.member("amountMinor", amountMinor)
                $0.member("currency", currency)
            }
        }
    }

    /// What so many cents are about worth, in the smallest unit of a currency.
    private static func amount(_ cents: Int, _ currency: String) -> Int {
        let hundredths = ["USD": 100, "GBP": 80, "EUR": 95, "SAR": 375, "KWD": 300, "JPY": 150]
        guard let rate = hundredths[currency] else { preconditionFailure("there is no rate for \(currency)") }
        return cents * rate / 100
    }

    /// The same hours on all days, given as pairs.
    private static func hours(_ times: String...) -> [UInt8] {
        let spans = stride(from: 0, to: times.count, by: 2).map { place in
            #"{"days":["mon","tue","wed","thu","fri","sat","sun"],"opens":"\#(times[place])","closes":"\#(times[place + 1])"}"#
        }
        return Array("[\(spans.joined(separator: ","))]".utf8)
    }

    private static func json(_ value: some JSONEncodable) -> [UInt8] {
        var writer = JSONWriter()
        value.encode(to: &writer)
        return writer.bytes
    }

    /// So many days before 18 November 2026.
    static func date(daysAgo: Int) -> String { dates[daysAgo] }

    private static let dates: [String] = {
        var (year, month, day) = (2026, 11, 18)
        return (0..<5_500).map { _ in
            defer {
                day -= 1
                if day == 0 {
                    month -= 1
                    if month == 0 { (year, month) = (year - 1, 12) }
                    let isLeap = year % 4 == 0
                    day = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
                }
            }
            return "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
        }
    }()
}
