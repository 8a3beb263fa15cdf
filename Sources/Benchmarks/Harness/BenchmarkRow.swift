import JSON

/// One figure, what it is held against, and whether it holds.
struct BenchmarkRow: Sendable {
    struct Figure: Sendable {
        let value: Double
        let unit: String

        /// Of one, where it was measured of so many.
        func divided(by count: Int) -> Figure { Figure(value: value / Double(count), unit: unit) }

        var inMilliseconds: Figure { Figure(value: value / 1_000, unit: "ms") }

        var inNanoseconds: Figure { Figure(value: value * 1_000, unit: "ns") }
    }

    enum Bar: Sendable {
        /// The other takes at least so many times as long.
        case ratioAtLeast(Double)
        /// The figure itself is at most so much.
        case atMost(Double)
        /// The figure itself is at least so much.
        case atLeast(Double)
    }

    let what: String
    let measured: Figure
    var against: (name: String, figure: Figure)?
    let bar: Bar

    var ratio: Double? { against.map { $0.figure.value / measured.value } }

    var isHeld: Bool {
        switch bar {
        case .ratioAtLeast(let least): (ratio ?? 0) >= least
        case .atMost(let most): measured.value <= most
        case .atLeast(let least): measured.value >= least
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
            case .atMost(let most): $0.member("atMost", most)
            case .atLeast(let least): $0.member("atLeast", least)
            }
            $0.member("held", isHeld)
        }
    }
}

extension BenchmarkRow.Figure: JSONEncodable {
    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("value", value)
            $0.member("unit", unit)
        }
    }
}
