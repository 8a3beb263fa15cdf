import Testing

@testable import HTTP

@Suite("Pending input")
struct PendingInputTests {
    @Test("Input is moved only a few times, even if it is read in small pieces")
    func moves() {
        var input = PendingInput()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        input.append(bytes.span)
        var moved = 0
        var read: [UInt8] = []
        while !input.isEmpty {
            let before = input.bytes.count
            read += input.bytes[input.start..<(input.start + 20)]
            input.drop(20)
            if input.bytes.count < before { moved += input.bytes.count }
        }
        #expect(read == bytes)
        #expect(moved < bytes.count)
    }

    @Test("Appended input follows the remaining input")
    func appends() {
        var input = PendingInput()
        input.append([1, 2, 3, 4, 5].span)
        input.drop(2)
        input.append([6].span)
        #expect(input.count == 4 && Array(input.bytes[input.start...]) == [3, 4, 5, 6])
        input.drop(4)
        #expect(input.isEmpty && input.bytes.isEmpty)
    }
}
