/// A value could not be read, and the mistake has been reported; only reporting one makes a refusal.
@usableFromInline
package struct JSONReadError: Error {
    @usableFromInline
    init() {}
}
