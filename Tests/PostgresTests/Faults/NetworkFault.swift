import EventLoop
import Postgres
import TestProxy
import Testing

/// A network failure that occurs during a call.
enum NetworkFault: String, CaseIterable, CustomTestStringConvertible {
    /// The network drops everything from now on.
    case silence
    case reset
    /// The server's side closes, and the client's side stays open.
    case halfClose

    var testDescription: String { rawValue }

    func strike(_ proxy: Proxy) async {
        switch self {
        case .silence: await proxy.behave(.silence)
        case .reset: await proxy.reset()
        case .halfClose: await proxy.halfClose()
        }
    }

    /// The deadline of a call, which passes after the fault if nothing else reveals it.
    func deadline(for exchange: Exchange) -> Deadline { showsItself(in: exchange) ? .never : .after(.seconds(8)) }

    /// The error code of a call that meets this fault.
    func expectedCode(of exchange: Exchange) -> PostgresError.Code {
        if exchange == .commit { return .outcomeUnknown }
        return showsItself(in: exchange) ? .connectionLost : .deadlinePassed
    }

    /// Whether the fault ends the call. A client that only writes does not notice that no response will come.
    private func showsItself(in exchange: Exchange) -> Bool { self == .reset || self == .halfClose && exchange != .copyIn }
}
