internal import Glibc

/// A failed call to the operating system: the operation, its subject and the system's error code.
package struct HostError: Error, Sendable, Equatable, CustomStringConvertible {
    /// An `errno` value, open to codes that this file does not name.
    package struct Code: RawRepresentable, Sendable, Hashable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }

        package static let notFound = Code(rawValue: ENOENT)
        package static let notPermitted = Code(rawValue: EPERM)
        package static let accessDenied = Code(rawValue: EACCES)
        package static let alreadyExists = Code(rawValue: EEXIST)
        package static let notEmpty = Code(rawValue: ENOTEMPTY)
        package static let notADirectory = Code(rawValue: ENOTDIR)
        package static let wouldBlock = Code(rawValue: EWOULDBLOCK)
        package static let interrupted = Code(rawValue: EINTR)
        package static let noSuchProcess = Code(rawValue: ESRCH)
        package static let connectionReset = Code(rawValue: ECONNRESET)
        package static let addressInUse = Code(rawValue: EADDRINUSE)
        package static let noSpace = Code(rawValue: ENOSPC)
        package static let readOnlyFileSystem = Code(rawValue: EROFS)
        package static let timedOut = Code(rawValue: ETIMEDOUT)
        package static let brokenPipe = Code(rawValue: EPIPE)
        package static let fileTooLarge = Code(rawValue: EFBIG)
    }

    package let code: Code
    package let operation: String
    package let subject: String

    package init(_ code: Code, _ operation: String, _ subject: String) {
        self.code = code
        self.operation = operation
        self.subject = subject
    }

    /// Reads the code from `errno`. Call it immediately after the failed call.
    package init(errnoOf operation: String, _ subject: String) {
        self.init(Code(rawValue: errno), operation, subject)
    }

    /// The system's message for the code, such as "No space left on device".
    package var reason: String {
        guard let message = unsafe strerror(code.rawValue) else { return "error \(code.rawValue)" }
        return unsafe String(cString: message)
    }

    package var description: String { "cannot \(operation) \(subject): \(reason)" }
}
