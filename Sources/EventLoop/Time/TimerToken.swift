/// What moves or cancels one timer; using it after the timer has fired is harmless.
package struct TimerToken: Sendable, Hashable {
    let slot: Int
    let generation: UInt64
}
