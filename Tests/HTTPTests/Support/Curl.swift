import Host
import TestSupport

/// The `curl` program.
struct Curl {
    struct Result {
        /// The received heads and bodies.
        let text: String
        /// The exit code, which is 0 if the transfer succeeded.
        let code: ProcessStatus
    }

    /// Runs `curl` with these arguments and a time limit, and returns its output, including errors.
    static func run(_ arguments: String...) throws -> Result { try run(arguments) }

    static func run(_ arguments: [String]) throws -> Result {
        let launch = ProcessLaunch("curl", ["-sS", "--max-time", "50"] + arguments)
        let (text, code) = try launch.output(within: .seconds(60), limit: 8 << 20)
        return Result(text: text, code: code)
    }
}

extension TemporaryFolder {
    /// Creates a file of the given number of bytes and returns its path.
    func file(_ name: String, count: Int) throws -> String {
        let path = "\(self.path)/\(name)"
        try Descriptor(opening: path, .create).write([UInt8](repeating: UInt8(ascii: "x"), count: count), subject: path)
        return path
    }
}
