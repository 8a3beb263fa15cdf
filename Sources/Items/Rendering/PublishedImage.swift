internal import JSON
internal import Values

/// An image of a published document, which is rendered as `ImageTemplate` is. Parts that only a later release can read are
/// ignored.
struct PublishedImage {
    private let node: JSONNode
    private let size: ImageTemplate.Size

    /// Returns nil if the value is not a readable image.
    init?(_ node: JSONNode) {
        guard let size = ImageTemplate.Size(of: node) else { return nil }
        self.node = node
        self.size = size
    }

    /// Encodes the image as clients receive it, in one locale.
    func encodeMembers(to json: inout JSONWriter, in fallback: LocaleFallback) {
        let image = Self.image(of: node["locales"], in: fallback) ?? node
        let dark = image["dark"].flatMap(Source.init(readable:))
        let alt = node["alt"].flatMap { fallback.pick($0)?.text }
        json.imageMembers(light: Source(node: image), size: size, sizes: sizes, dark: dark) { $0.member("alt", copying: alt) }
    }

    private static func image(of locales: JSONNode?, in fallback: LocaleFallback) -> JSONNode? {
        guard let locales else { return nil }
        for tag in fallback.chain {
            if let image = locales[tag.text], Source(readable: image) != nil { return image }
        }
        return nil
    }

    /// The sizes in ascending order. An image whose sizes are all unreadable exists at least in its largest one.
    private var sizes: [ImageTemplate.Size] {
        guard let list = node["sizes"] else { return [] }
        var sizes: [ImageTemplate.Size] = []
        sizes.reserveCapacity(list.count)
        for element in list.elements where element.kind == .array && element.count == 2 {
            var sides = element.elements
            guard let width = sides.next()?.integer, let height = sides.next()?.integer, 1...size.width ~= width, 1...size.height ~= height
            else { continue }
            sizes.append(ImageTemplate.Size(width: width, height: height))
        }
        guard !sizes.isEmpty else { return [size] }
        return sizes.sorted { ($0.width, $0.height) < ($1.width, $1.height) }
    }

    /// A URL with its placeholder.
    private struct Source: JSONObjectEncodable {
        let node: JSONNode

        init(node: JSONNode) { self.node = node }

        init?(readable node: JSONNode) {
            guard node["template"]?.kind == .string else { return nil }
            self.node = node
        }

        func encodeMembers(to json: inout JSONWriter) {
            var fields = JSONMemberSearch(node)
            json.member("template", copying: fields.value("template"))
            json.member("color", fields.value("color")?.string?.uppercased())
            json.member("blurhash", copyingText: fields.value("blurhash"))
        }
    }
}

extension JSONWriter {
    /// Writes a member with a copied string, or nothing if the value is not a string.
    mutating func member(_ key: String, copyingText node: JSONNode?) {
        if let node, node.kind == .string { member(key, copying: node) }
    }
}
