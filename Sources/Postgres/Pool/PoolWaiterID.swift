/// One request for a connection; the owner of the pool numbers them and uses no number twice.
package struct PoolWaiterID: Sendable, Hashable, CustomStringConvertible {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package var description: String { "waiter \(number)" }
}
