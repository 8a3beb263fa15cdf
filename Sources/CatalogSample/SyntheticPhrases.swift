/// The parts that many records share, encoded once.
struct SyntheticPhrases: Sendable {
    /// The keys of storefronts, each with its colon.
    let storefronts: [[UInt8]]
    let everywhere: [Int]
    let topAppCategories: [[UInt8]]
    let foodAppCategories: [[UInt8]]
    /// The amounts by storefront. Amounts of apps repeat as often as rounded log-normal prices would.
    let priceTiers: [[[UInt8]]]
    let minimumTiers: [[[UInt8]]]
    let feeTiers: [[[UInt8]]]
    let always = Array("[{}]".utf8)
    let windows: [[UInt8]]
    let platforms: [[UInt8]]
    let openingHours: [[UInt8]]
    let ageRatings = ["4+", "4+", "4+", "4+", "9+", "9+", "12+", "17+"].map { Array($0.utf8) }
    let priceBands = [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4]
    let dates = Self.dates(before: (2026, 11, 18), count: 5_500)

    init(_ sample: SampleStorefronts) {
        storefronts = sample.storefronts.map { Array("\"\($0.key)\":".utf8) }
        everywhere = Array(sample.storefronts.indices)
        topAppCategories = sample.topAppCategories.map { Array("\"\($0)\"".utf8) }
        foodAppCategories = sample.foodAppCategories.map { Array("\"\($0)\"".utf8) }
        let tier = { (cents: Int) in
            sample.storefronts.map { storefront in
                Array(#"{"amountMinor":\#(Self.amount(cents, storefront.currency)),"currency":"\#(storefront.currency)"}"#.utf8)
            }
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
            #"[{"from":"2027-01-15T00:00:00Z"}]"#, #"[{"from":"2027-06-01T00:00:00Z","until":"2028-01-01T00:00:00Z"}]"#,
        ].map { Array($0.utf8) }
        platforms = [
            #"["ios"]"#, #"["ios"]"#, #"["ios","ipados"]"#, #"["ios","ipados"]"#, #"["ios","ipados","macos"]"#,
            #"["ios","ipados","watchos"]"#, #"["ios","android"]"#, #"["macos"]"#, #"["macos","linux"]"#, #"["ios","ipados","tvos"]"#,
            #"["ios","ipados","visionos"]"#,
        ].map { Array($0.utf8) }
        openingHours = [
            Self.hours("11:00", "22:00"), Self.hours("11:00", "23:00"), Self.hours("12:00", "00:00"), Self.hours("07:00", "15:00"),
            Self.hours("17:00", "02:00"), Self.hours("00:00", "00:00"), Self.hours("11:30", "14:30", "17:30", "22:30"),
        ]
    }

    /// Returns roughly the same value in the smallest unit of a currency.
    private static func amount(_ cents: Int, _ currency: String) -> Int {
        let hundredths = ["USD": 100, "GBP": 80, "EUR": 95, "SAR": 375, "KWD": 300, "JPY": 150]
        guard let rate = hundredths[currency] else { preconditionFailure("there is no rate for \(currency)") }
        return cents * rate / 100
    }

    /// Returns the same hours for all days. The times are given in pairs.
    private static func hours(_ times: String...) -> [UInt8] {
        let spans = stride(from: 0, to: times.count, by: 2).map { index in
            #"{"days":["mon","tue","wed","thu","fri","sat","sun"],"opens":"\#(times[index])","closes":"\#(times[index + 1])"}"#
        }
        return Array("[\(spans.joined(separator: ","))]".utf8)
    }

    /// Returns the day and the days before it.
    private static func dates(before last: (year: Int, month: Int, day: Int), count: Int) -> [[UInt8]] {
        var (year, month, day) = last
        return (0..<count).map { _ in
            let date = Array("\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)".utf8)
            day -= 1
            if day == 0 {
                month = month == 1 ? 12 : month - 1
                year -= month == 12 ? 1 : 0
                // The Gregorian rule for centuries does not matter in this range.
                day = [31, year % 4 == 0 ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
            }
            return date
        }
    }
}
