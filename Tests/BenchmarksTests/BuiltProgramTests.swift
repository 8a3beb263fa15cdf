import Host
import Testing

@testable import Benchmarks

@Suite("A program of a benchmark")
struct BuiltProgramTests {
    private static let failure = BenchmarkFailure(reason: "no response")

    @Test("A program that runs until it is killed ends with its body, even if the body throws", arguments: [true, false])
    func ended(isThrowing: Bool) throws {
        var id: Int32 = 0
        do {
            try BuiltProgram(ProcessLaunch("tail", ["--follow", "/dev/null"])).run { child in
                id = child.id
                #expect(child.ended() == nil)
                if isThrowing { throw Self.failure }
            }
        } catch let error as BenchmarkFailure {
            #expect(isThrowing && error.reason == Self.failure.reason)
        }
        #expect(id > 0 && !Files.may(.read, "/proc/\(id)"))
    }
}
