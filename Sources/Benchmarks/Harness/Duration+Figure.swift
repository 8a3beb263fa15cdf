extension Duration {
    /// In seconds.
    var figure: BenchmarkRow.Figure { .init(value: self / .seconds(1), unit: "s") }
}
