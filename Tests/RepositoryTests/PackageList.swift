/// The packages of config/debian-packages by section.
struct PackageList {
    private(set) var sections: [String: [String]] = [:]

    init(_ text: String) {
        var section = ""
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = String(line.dropFirst().dropLast())
            } else {
                sections[section, default: []].append(String(line))
            }
        }
    }
}
