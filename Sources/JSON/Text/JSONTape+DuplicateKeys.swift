extension JSONTape {
    /// The second of two equal keys in an object whose members are complete, or nil; compares decoded bytes.
    ///
    /// Linear on average whatever the keys are: the table of a large object is keyed by a hash that nobody outside can predict.
    func duplicateKey(inObjectAt object: Int) -> Int? {
        guard entries[object].tag == .object else { return nil }
        let count = Int(entries[object].length)
        return count <= 16 ? duplicateAmongFew(object, count) : duplicateAmongMany(object, count)
    }

    /// Compares a key with those before it only where a sketch of 64 bits says that a like one has been seen.
    private func duplicateAmongFew(_ object: Int, _ count: Int) -> Int? {
        var sketch: UInt64 = 0
        var key = object + 1
        for _ in 0..<count {
            let bit: UInt64 = 1 << UInt64(fewBits(key))
            if sketch & bit != 0 {
                var earlier = object + 1
                while earlier < key {
                    if sameText(earlier, key) { return key }
                    earlier = entry(after: earlier + 1)
                }
            }
            sketch |= bit
            key = entry(after: key + 1)
        }
        return nil
    }

    private func fewBits(_ key: Int) -> UInt8 {
        withText(at: key) { text in
            guard !text.isEmpty else { return 0 }
            let middle = text[text.count / 2] &* 5
            return (UInt8(truncatingIfNeeded: text.count) &* 11 &+ text[0] &+ middle &+ text[text.count - 1] &* 3) & 63
        }
    }

    /// Open addressing in a table at most half full; zero marks an empty place.
    private func duplicateAmongMany(_ object: Int, _ count: Int) -> Int? {
        var capacity = 64
        while capacity < count * 2 { capacity *= 2 }
        var table = [UInt32](repeating: 0, count: capacity)
        var key = object + 1
        for _ in 0..<count {
            var place = withText(at: key) { $0.seededHash() } & (capacity - 1)
            while table[place] != 0 {
                if sameText(Int(table[place]), key) { return key }
                place = (place + 1) & (capacity - 1)
            }
            table[place] = UInt32(truncatingIfNeeded: key)
            key = entry(after: key + 1)
        }
        return nil
    }
}
