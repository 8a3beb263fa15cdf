internal import CPostgres

extension PostgresConnection {
    enum TransactionState {
        case none
        case open
        case failed
    }

    /// Where the session stands, as of the last answer.
    var transactionState: TransactionState {
        guard let handle else { return .none }
        return switch unsafe PQtransactionStatus(handle.pointer) {
        case PQTRANS_INTRANS, PQTRANS_ACTIVE: .open
        case PQTRANS_INERROR: .failed
        default: .none
        }
    }
}
