/// The options of the command line.
struct BenchmarkOptions {
    struct Usage: Error, CustomStringConvertible {
        let description: String
    }

    private(set) var jsonPath: String?
    private var word = ""

    init(_ arguments: some Sequence<String>) throws(Usage) {
        var rest = arguments.makeIterator()
        while let option = rest.next() {
            guard let value = rest.next() else { throw Usage(description: "\(option) needs a value") }
            switch option {
            case "--only": word = value
            case "--json": jsonPath = value
            default: throw Usage(description: "unknown option \(option): expected --only NAME or --json FILE")
            }
        }
    }

    func includes(_ name: String) -> Bool { word.isEmpty || name.contains(word) }
}
