package import Catalog
package import Postgres

/// The session that a sequencer works in, lent by whoever holds it.
package struct SequencerSession {
    package typealias Transaction = (_ options: TransactionOptions, _ body: () async throws -> Void) async throws -> Void

    package let run: CatalogReader.Run
    package let transaction: Transaction

    /// `run` answers with a result for each query, all of one round trip; `transaction` commits where its body returns, and takes everything back
    /// where it throws.
    package init(run: @escaping CatalogReader.Run, transaction: @escaping Transaction) {
        self.run = run
        self.transaction = transaction
    }
}
