/// What an epoch is known by outside: drawn at random, so that no restored database hands it out again.
package struct EpochID: Sendable, Hashable {
    package let nonce: UInt64

    package init(nonce: UInt64) { self.nonce = nonce }
}
