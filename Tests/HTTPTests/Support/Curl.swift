import Host
import TestSupport

/// A client that many others are made of.
struct Curl {
    struct Result {
        /// The heads and bodies that came.
        let text: String
        /// 0 where nothing went wrong on the way.
        let code: ProcessStatus
    }

    /// Runs it with these words and a limit of its own, and returns what it printed, mistakes included.
    static func run(_ words: String...) throws -> Result { try run(words) }

    static func run(_ words: [String]) throws -> Result {
        let (text, code) = try ProcessLaunch("curl", ["-sS", "--max-time", "50"] + words).output(within: .seconds(60))
        return Result(text: text, code: code)
    }
}

extension TemporaryFolder {
    /// A file of so many bytes.
    func file(_ name: String, count: Int) throws -> String {
        let path = "\(self.path)/\(name)"
        try Descriptor(opening: path, .create).write([UInt8](repeating: UInt8(ascii: "x"), count: count), subject: path)
        return path
    }
}
