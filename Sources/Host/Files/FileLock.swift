internal import Glibc

/// A lock on a file that the kernel gives up with the process, however the process ends.
package struct FileLock: ~Copyable, Sendable {
    private let file: Descriptor

    /// Takes the lock at once, or throws `wouldBlock` where another process holds it.
    package init(path: String) throws(HostError) {
        let file = try Descriptor(opening: path, .lock)
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { throw HostError(errnoOf: "lock", path) }
        self.file = file
    }

    /// Leaves a line in the file for whoever finds it locked.
    package borrowing func note(_ text: String, subject: String) throws(HostError) {
        guard ftruncate(file.number, 0) == 0 else { throw HostError(errnoOf: "write", subject) }
        try file.write(Array(text.utf8), subject: subject)
    }
}
