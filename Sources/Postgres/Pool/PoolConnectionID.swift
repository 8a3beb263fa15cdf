/// One connection of a pool from its first attempt to its end; never used twice.
package struct PoolConnectionID: Sendable, Hashable, CustomStringConvertible {
    let number: UInt64

    package var description: String { "connection \(number)" }
}
