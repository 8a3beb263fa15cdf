import EventLoop
import Postgres
import TestProxy
import Testing

/// What may happen to a connection in the middle of something.
enum NetworkFault: String, CaseIterable, CustomTestStringConvertible {
    /// Everything is swallowed from now on.
    case silence
    case reset
    /// The server's side ends, and the client's does not.
    case halfClose

    var testDescription: String { rawValue }

    func strike(_ proxy: Proxy) async {
        switch self {
        case .silence: await proxy.behave(.silence)
        case .reset: await proxy.reset()
        case .halfClose: await proxy.halfClose()
        }
    }

    /// A deadline that comes after the fault, where nothing else shows it.
    func deadline(for exchange: Exchange) -> Deadline { showsItself(in: exchange) ? .never : .after(.seconds(8)) }

    /// What a call ends with that met it.
    func expectedCode(of exchange: Exchange) -> PostgresError.Code {
        if exchange == .commit { return .outcomeUnknown }
        return showsItself(in: exchange) ? .connectionLost : .deadlinePassed
    }

    /// Whoever only writes does not see that nothing will be answered.
    private func showsItself(in exchange: Exchange) -> Bool { self == .reset || self == .halfClose && exchange != .copyIn }
}
