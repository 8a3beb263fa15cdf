/// A table of hashes with a few words for each, in open addressing. Its size does not change.
struct LineTable: Sendable {
    private let stride: Int
    private let slots: Int
    private var cells: [UInt64]
    /// The number of lines that still find room. Lines beyond it are left out, so that each search meets an empty slot.
    private var room: Int

    /// Creates a table for a number of lines, an eighth of which stays empty.
    init(words: Int, for count: Int) {
        stride = words + 2
        room = count + count / 64
        slots = count + count / 7 + 4
        cells = Array(repeating: 0, count: slots * stride)
    }

    mutating func insert(_ lines: [UInt8]) {
        for start in Swift.stride(from: 0, through: lines.count - stride * 8, by: stride * 8) where room > 0 {
            let hash = LineHash(high: UInt64(bigEndian: lines, at: start), low: UInt64(bigEndian: lines, at: start + 8))
            let cell = place(of: hash)
            if cells[cell] == 0 { room -= 1 }
            cells[cell] = hash.high | 1
            for word in 1..<stride { cells[cell + word] = UInt64(bigEndian: lines, at: start + word * 8) }
        }
    }

    func words(of hash: LineHash) -> ArraySlice<UInt64>? {
        let cell = place(of: hash)
        return cells[cell] == 0 ? nil : cells[cell + 2..<cell + stride]
    }

    /// Returns the first cell of the hash, or of the empty slot where it belongs. Zero is an empty slot, so the lowest bit of
    /// a hash is always set.
    private func place(of hash: LineHash) -> Int {
        let high = hash.high | 1
        var slot = Int(truncatingIfNeeded: high.multipliedFullWidth(by: UInt64(slots)).high)
        while cells[slot * stride] != 0 {
            if cells[slot * stride] == high, cells[slot * stride + 1] == hash.low { break }
            slot += 1
            if slot == slots { slot = 0 }
        }
        return slot * stride
    }
}
