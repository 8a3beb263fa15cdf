package import JSON
internal import Values

extension ImageTemplate {
    /// Encodes the image as clients receive it, in one locale. A client replaces `{w}` and `{h}` by a size of `sizes`.
    ///
    /// The image is that of the requested locale or of its own fallback locales, or else the standard one. Unlike a text, it
    /// is never that of the storefront's default locale, because the standard image is for all locales without an image.
    package func encodeMembers(to json: inout JSONWriter, in fallback: LocaleFallback) {
        let image = fallback.chain.lazy.compactMap { locales[$0] }.first ?? standard
        json.imageMembers(light: image.light, size: size, sizes: sizes, dark: image.dark) { $0.member("alt", fallback.pick(alt)) }
    }
}

extension JSONWriter {
    /// Writes the members of an image of the catalog. `alt` writes its description.
    mutating func imageMembers<Source: JSONObjectEncodable>(
        light: Source, size: ImageTemplate.Size, sizes: [ImageTemplate.Size], dark: Source?, alt: (inout JSONWriter) -> Void
    ) {
        light.encodeMembers(to: &self)
        sizeMembers(size, sizes)
        alt(&self)
        member("dark", dark)
    }

    /// Writes the size of an image and all its sizes.
    mutating func sizeMembers(_ size: ImageTemplate.Size, _ sizes: [ImageTemplate.Size]) {
        size.encodeMembers(to: &self)
        member("sizes", sizes, unless: [])
    }
}
