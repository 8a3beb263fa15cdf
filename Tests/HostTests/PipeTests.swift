import Host
import Testing

@Suite("A wait for the output of a program") struct PipeTests {
    @Test("The wait lasts for the whole limit, even if it is longer than a minute without output")
    func timeout() {
        #expect(Pipe.pollTimeout(.seconds(1_800)) == 1_800_001)
        #expect(Pipe.pollTimeout(.milliseconds(1)) == 2)
        #expect(Pipe.pollTimeout(.nanoseconds(1)) == 1)
        #expect(Pipe.pollTimeout(.seconds(Int64.max)) == .max)
        #expect(Pipe.pollTimeout(.seconds(-5)) == 1)
    }
}
