internal import Glibc

/// A lock on a file that the kernel releases when the process ends for any reason.
package struct FileLock: ~Copyable, Sendable {
    private let file: Descriptor

    /// Acquires the lock immediately, or throws `wouldBlock` if another process holds it.
    package init(path: String) throws(HostError) {
        let file = try Descriptor(opening: path, .lock)
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { throw HostError(errnoOf: "lock", path) }
        self.file = file
    }

    /// Writes a note into the file for processes that find it locked.
    package borrowing func note(_ text: String, subject: String) throws(HostError) {
        guard ftruncate(file.number, 0) == 0 else { throw HostError(errnoOf: "write", subject) }
        try file.write(Array(text.utf8), subject: subject)
    }
}
