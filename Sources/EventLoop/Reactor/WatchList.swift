/// The watches of a loop by descriptor; a descriptor is a small number, so that it serves as an index.
struct WatchList {
    private var byDescriptor: [[Watch]] = []
    private(set) var count = 0

    var all: [Watch] { byDescriptor.flatMap(\.self) }

    /// Whether a descriptor with a number as high was watched before.
    func hasPlace(for descriptor: Int32) -> Bool { byDescriptor.indices.contains(Int(descriptor)) }

    subscript(descriptor: Int32) -> [Watch] {
        hasPlace(for: descriptor) ? byDescriptor[Int(descriptor)] : []
    }

    mutating func insert(_ watch: Watch) {
        let index = Int(watch.descriptor)
        while index >= byDescriptor.count { byDescriptor.append([]) }
        byDescriptor[index].append(watch)
        count += 1
    }

    mutating func remove(_ watch: Watch) {
        let index = Int(watch.descriptor)
        guard hasPlace(for: watch.descriptor), let place = byDescriptor[index].firstIndex(where: { $0 === watch }) else { return }
        byDescriptor[index].remove(at: place)
        count -= 1
    }
}
