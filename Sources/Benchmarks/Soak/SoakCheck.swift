import Foundation
import JSON

/// One count at the end of a soak, with its limit if it has one.
struct SoakCheck {
    enum Bar {
        case atMost(Double)
        case atLeast(Double)
    }

    static let header = ["soak", "found", "bar", ""]

    let what: String
    let found: Double
    var unit = ""
    let bar: Bar?

    var isHeld: Bool {
        switch bar {
        case .atMost(let limit): found <= limit
        case .atLeast(let least): found >= least
        case nil: true
        }
    }

    /// The cells of a line below the header.
    var cells: [String] { [what, text(found), barText, bar == nil ? "" : isHeld ? "held" : "SHORT"] }

    private var barText: String {
        switch bar {
        case .atMost(let limit): "≤ \(text(limit))"
        case .atLeast(let least): "≥ \(text(least))"
        case nil: ""
        }
    }

    private func text(_ value: Double) -> String {
        let number = value == value.rounded() ? String(Int(value)) : String(format: "%.1f", value)
        return unit.isEmpty ? number : "\(number) \(unit)"
    }
}

extension SoakCheck: JSONEncodable {
    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("what", what)
            $0.member("found", found)
            $0.member("unit", unit, unless: "")
            switch bar {
            case .atMost(let limit): $0.member("atMost", limit)
            case .atLeast(let least): $0.member("atLeast", least)
            case nil: break
            }
            $0.member("held", isHeld)
        }
    }
}
