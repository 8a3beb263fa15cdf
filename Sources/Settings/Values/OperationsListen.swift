package import Arguments

package enum OperationsListen: Sendable, Hashable {
    /// Listens at `standard`, or at another port of the loopback interface if that one is taken.
    case auto
    case nowhere
    case at(ListenAddress)

    package static let standard = ListenAddress.host("127.0.0.1", port: 8081)
}

extension ValueFormat where Value == OperationsListen {
    package static var operationsListen: ValueFormat {
        ValueFormat(
            "ADDRESS",
            read: { text throws(InvalidValue) in
                switch text {
                case "auto": return .auto
                case "none": return .nowhere
                default:
                    do throws(InvalidValue) { return .at(try ListenAddress(parsing: text)) } catch {
                        throw InvalidValue(expected: "auto, none or \(error.expectation)", suggestion: error.suggestion)
                    }
                }
            },
            write: { value in
                switch value {
                case .auto: "auto"
                case .nowhere: "none"
                case .at(let address): address.description
                }
            })
    }
}
