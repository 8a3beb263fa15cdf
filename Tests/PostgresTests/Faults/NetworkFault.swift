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

    /// A deadline that comes after the fault, where it takes one to notice it.
    var deadline: Deadline { self == .silence ? .after(.seconds(3)) : .never }

    /// What a call ends with that met it.
    func expectedCode(of exchange: Exchange) -> PostgresError.Code {
        if exchange == .commit { return .outcomeUnknown }
        return self == .silence ? .deadlinePassed : .connectionLost
    }
}
