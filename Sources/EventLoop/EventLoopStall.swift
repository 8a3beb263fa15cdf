/// The report of an event that kept everything else on its loop waiting.
package struct EventLoopStall: Sendable, Equatable {
    package let loop: String
    /// What was being handled; for a task, the event that last made it go on.
    package let event: WorkLabel
    /// To within a tick of the kernel, 4 ms.
    package let duration: Duration
}
