import Foundation

/// One count at the end of a soak, with its limit.
struct SoakCheck {
    enum Bar {
        case atMost(Double)
        case atLeast(Double)
    }

    static let header = ["soak", "found", "bar", ""]

    let what: String
    let found: Double
    var unit = ""
    let bar: Bar

    var isHeld: Bool {
        switch bar {
        case .atMost(let limit): found <= limit
        case .atLeast(let least): found >= least
        }
    }

    /// The cells of a line below the header.
    var cells: [String] { [what, text(found), barText, isHeld ? "held" : "SHORT"] }

    private var barText: String {
        switch bar {
        case .atMost(let limit): "≤ \(text(limit))"
        case .atLeast(let least): "≥ \(text(least))"
        }
    }

    private func text(_ value: Double) -> String {
        let number = value == value.rounded() ? String(Int(value)) : String(format: "%.1f", value)
        return unit.isEmpty ? number : "\(number) \(unit)"
    }
}
