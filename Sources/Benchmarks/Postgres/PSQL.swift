import Host

/// The psql client with timing enabled.
struct PSQL {
    let url: String

    /// Returns the time of the last command, without the start of the program.
    func time(_ commands: String...) throws -> Duration {
        let arguments = (["\\timing on"] + commands).flatMap { ["-c", $0] }
        let (text, status) = try ProcessLaunch("psql", ["-X", "-v", "ON_ERROR_STOP=1", "-d", url] + arguments).output(
            within: .longestStep)
        // "Time: 1234.567 ms (00:01.235)"
        guard status.isSuccess, let line = text.split(separator: "\n").last(where: { $0.hasPrefix("Time: ") }),
            let milliseconds = Double(line.dropFirst(6).prefix { $0 != " " })
        else { throw BenchmarkFailure(reason: "psql: \(text)") }
        return .microseconds(Int(milliseconds * 1_000))
    }
}
