package import JSON
package import Values

/// An image in several sizes: a URL with placeholders for the width and the height, and the sizes that exist.
package struct ImageTemplate: Sendable, Hashable {
    /// A size in pixels.
    package struct Size: Sendable, Hashable {
        package let width: Int
        package let height: Int

        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// A URL with the placeholder of the image while it loads.
    package struct Source: Sendable, Hashable {
        /// The URL, with `{w}` and `{h}` in place of the width and the height. A URL without them is an image of one size.
        package let template: String
        /// The color in upper-case hexadecimal, such as `#1A2B3C`.
        package let color: String?
        package let blurhash: String?

        package init(template: String, color: String? = nil, blurhash: String? = nil) {
            self.template = template
            self.color = color
            self.blurhash = blurhash
        }
    }

    /// The image of one locale, in light and in dark appearance.
    package struct Appearances: Sendable, Hashable {
        package let light: Source
        /// The image in dark appearance. nil if it is the same.
        package let dark: Source?

        package init(light: Source, dark: Source? = nil) {
            self.light = light
            self.dark = dark
        }
    }

    package static let maxSide = 16_384
    package static let maxSizes = 20
    package static let maxLocales = 50
    package static let maxAltCharacters = 500

    package let standard: Appearances
    /// The images of the locales that have their own.
    package let locales: [LocaleTag: Appearances]
    /// The largest size.
    package let size: Size
    /// The sizes that exist, in ascending order. Empty if each size up to the largest one exists.
    package let sizes: [Size]
    /// The description of the image for users who cannot see it.
    package var alt: [LocaleTag: String]

    package init(
        _ standard: Appearances, locales: [LocaleTag: Appearances] = [:], size: Size, sizes: [Size] = [], alt: [LocaleTag: String] = [:]
    ) {
        self.standard = standard
        self.locales = locales
        self.size = size
        self.sizes = sizes
        self.alt = alt
    }
}

extension ImageTemplate {
    /// The texts of `alt`, sorted by the bytes of their locales.
    package var altTexts: [LocaleText] {
        alt.map { LocaleText(locale: $0.key, text: $0.value) }.sorted { $0.locale.text < $1.locale.text }
    }
}

// MARK: Choice of a size

extension ImageTemplate.Size {
    /// Returns the size that a client requests: the smallest that is at least as wide as it needs, else the largest.
    ///
    /// If `sizes` is empty, each size up to the largest one exists, in the proportions of the largest.
    package static func choice(among sizes: [Self], upTo largest: Self, width needed: Int) -> Self {
        guard sizes.isEmpty else {
            let narrowestFirst = sizes.sorted { ($0.width, $0.height) < ($1.width, $1.height) }
            return narrowestFirst.first { $0.width >= needed } ?? narrowestFirst[sizes.count - 1]
        }
        let width = min(max(needed, 1), largest.width)
        return Self(width: width, height: max((largest.height * width + largest.width / 2) / largest.width, 1))
    }
}

extension ImageTemplate.Source {
    /// Returns the URL of the image in one size.
    package func url(of size: ImageTemplate.Size) -> String {
        template.replacing("{w}", with: "\(size.width)").replacing("{h}", with: "\(size.height)")
    }
}

// MARK: JSON

extension ImageTemplate: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let template = object.required("template", .imageTemplate)
        let color = object.optional("color", .color)
        let blurhash = object.optional("blurhash", .blurhash)
        let width = object.required("width", in: 1...Self.maxSide)
        let height = object.required("height", in: 1...Self.maxSide)
        let sizes = object.optional("sizes") { list throws(JSONReadError) in try Self.sizes(list, upTo: width.value, height.value) } ?? []
        let texts = object.optionalTexts("alt", 1...Self.maxAltCharacters)
        alt = Dictionary(texts.map { ($0.locale, $0.text) }, uniquingKeysWith: { first, _ in first })
        let dark = object.optional("dark", as: Source.self)
        locales = object.optional("locales") { json throws(JSONReadError) in try Self.locales(json) } ?? [:]
        standard = Appearances(
            light: Source(template: try template(), color: color?.uppercased(), blurhash: blurhash), dark: dark)
        size = Size(width: try width(), height: try height())
        // An image whose sizes are all unreadable exists at least in its largest one.
        self.sizes =
            sizes.isEmpty && object.has("sizes") ? [size] : sizes.sorted { ($0.width, $0.height) < ($1.width, $1.height) }
        if self.sizes.count != 1 { Self.reportFixed(object.json) }
    }

    private static func sizes(_ list: JSONReader, upTo width: Int?, _ height: Int?) throws(JSONReadError) -> [Size] {
        func size(_ element: JSONReader) throws(JSONReadError) -> Size {
            let size = try element.decode(as: Size.self)
            if let width, let height, size.width > width || size.height > height {
                throw element.refuse(.outOfRange, "expected a size of at most \(width) × \(height)")
            }
            return size
        }
        return list.isStrict ? try list.distinct(1...maxSizes, size) : try list.lossyList(size)
    }

    private static func locales(_ json: JSONReader) throws(JSONReadError) -> [LocaleTag: Appearances] {
        let values = try json.values()
        guard !json.isStrict || 1...maxLocales ~= json.node.count else {
            throw json.refuse(.invalidCount, "expected images of 1 to \(maxLocales) locales")
        }
        var locales: [LocaleTag: Appearances] = [:]
        var failure: JSONReadError?
        for value in values {
            do throws(JSONReadError) {
                guard let locale = LocaleTag(value.key) else {
                    // A published image can have a locale whose spelling only a later release knows.
                    guard json.isStrict else { continue }
                    throw value.refuse(.invalidFormat, "expected a locale such as en or pt-BR as the key")
                }
                locales[locale] = try value.decode()
            } catch {
                failure = error
            }
        }
        if let failure, json.isStrict { throw failure }
        return locales
    }

    /// Reports each template without placeholders of an image that has not exactly one size.
    private static func reportFixed(_ json: JSONReader) {
        guard json.isStrict else { return }
        let images = [json.node] + (json.node["locales"]?.members.map(\.value) ?? [])
        for template in images.flatMap({ [$0["template"], $0["dark"]?["template"]] }) {
            guard let template, let text = template.string, TextShape.imageTemplate.fits(text), !text.contains("{w}") else { continue }
            json.report(
                .invalidFormat, at: template, "expected a template with {w} and {h} once each",
                hint: "if the image has only one size, write exactly this size in \"sizes\"")
        }
    }

    package func encodeMembers(to json: inout JSONWriter) {
        standard.light.encodeMembers(to: &json)
        size.encodeMembers(to: &json)
        json.member("sizes", sizes, unless: [])
        json.member("alt", altTexts)
        json.member("dark", standard.dark)
        guard !locales.isEmpty else { return }
        json.member("locales") { json in
            for (locale, image) in locales.sorted(by: { $0.key.text < $1.key.text }) { json.member(locale.text, image) }
        }
    }
}

extension ImageTemplate.Size: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let sides = try json.decode(as: [Int].self)
        guard sides.count == 2, sides.allSatisfy((1...ImageTemplate.maxSide).contains) else {
            throw json.refuse(.outOfRange, "expected a width and a height from 1 to \(ImageTemplate.maxSide), such as [640, 360]")
        }
        self.init(width: sides[0], height: sides[1])
    }

    package func encode(to json: inout JSONWriter) {
        json.array {
            $0.value(width)
            $0.value(height)
        }
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("width", width)
        json.member("height", height)
    }
}

extension ImageTemplate.Source: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let template = object.required("template", .imageTemplate)
        let color = object.optional("color", .color)
        let blurhash = object.optional("blurhash", .blurhash)
        self.init(template: try template(), color: color?.uppercased(), blurhash: blurhash)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("template", template)
        json.member("color", color)
        json.member("blurhash", blurhash)
    }
}

extension ImageTemplate.Appearances: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let dark = object.optional("dark", as: ImageTemplate.Source.self)
        self.init(light: try ImageTemplate.Source(&object), dark: dark)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        light.encodeMembers(to: &json)
        json.member("dark", dark)
    }
}

extension ImageTemplate.Size {
    /// The largest size of an image of a published document. Nil if the value is not a readable image.
    init?(of node: JSONNode) {
        var fields = JSONMemberSearch(node)
        guard fields.value("template")?.kind == .string, let width = fields.value("width")?.integer,
            let height = fields.value("height")?.integer, width > 0, height > 0
        else { return nil }
        self.init(width: width, height: height)
    }
}
