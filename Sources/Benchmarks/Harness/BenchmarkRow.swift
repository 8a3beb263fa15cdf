import JSON

/// One figure, the figure of its peer, and whether its bar is met.
struct BenchmarkRow: Sendable {
    enum Bar: Sendable {
        /// The minimum ratio of the peer's median to ours.
        case ratioAtLeast(Double)
        /// The maximum of the median.
        case atMost(Double)
        /// The maximum of 99 % of the rounds.
        case percentile99AtMost(Double)
        /// The maximum of each round.
        case allAtMost(Double)
        /// The minimum of each round.
        case allAtLeast(Double)
    }

    let what: String
    let measured: Figure
    var against: (name: String, figure: Figure)?
    /// The bar, or nil if the row is only for comparison.
    let bar: Bar?

    /// The ratio of the peer's median to ours; zero for a figure that was not measured.
    var ratio: Double? { against.map { measured.median > 0 ? $0.figure.median / measured.median : 0 } }

    var isHeld: Bool {
        switch bar {
        case .ratioAtLeast(let least): (ratio ?? 0) >= least
        case .atMost(let limit): measured.median <= limit
        case .percentile99AtMost(let limit): measured.percentile99 <= limit
        case .allAtMost(let limit): measured.maximum <= limit
        case .allAtLeast(let least): measured.minimum >= least
        case nil: true
        }
    }
}

extension BenchmarkRow: JSONEncodable {
    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("what", what)
            $0.member("measured", measured)
            if let against {
                $0.member("against", against.name)
                $0.member("other", against.figure)
            }
            $0.member("ratio", ratio)
            switch bar {
            case .ratioAtLeast(let least): $0.member("ratioAtLeast", least)
            case .atMost(let limit): $0.member("atMost", limit)
            case .percentile99AtMost(let limit):
                $0.member("percentile99", measured.percentile99)
                $0.member("percentile99AtMost", limit)
            case .allAtMost(let limit): $0.member("allAtMost", limit)
            case .allAtLeast(let least): $0.member("allAtLeast", least)
            case nil: break
            }
            $0.member("held", isHeld)
        }
    }
}
