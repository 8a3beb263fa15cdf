extension Double {
    /// The greatest whole number that is not above it, without the C library's `floor`, which a browser does not have.
    var wholeBelow: Double {
        guard abs(self) < 0x1p52 else { return self }
        let whole = Double(Int64(self))
        return whole > self ? whole - 1 : whole
    }

    /// The least whole number that is not below it.
    var wholeAbove: Double { -(-self).wholeBelow }
}
