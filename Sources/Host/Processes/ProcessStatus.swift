package enum ProcessStatus: Sendable, Equatable, CustomStringConvertible {
    case code(Int32)
    case signal(Int32)
    /// The process has ended, and its status was reported elsewhere.
    case unknown

    package var isSuccess: Bool { self == .code(0) }

    package var description: String {
        switch self {
        case .code(let code): "exit code \(code)"
        case .signal(let number): "signal \(number)"
        case .unknown: "an unknown status"
        }
    }

    init(waitStatus status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
    }
}
