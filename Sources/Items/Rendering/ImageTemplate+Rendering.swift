package import JSON
internal import Values

extension ImageTemplate {
    /// Encodes the image as clients receive it, in one locale. A client replaces `{w}` and `{h}` by a size of `sizes`.
    ///
    /// The image is that of the requested locale or of its own fallback locales, or else the standard one. Unlike a text, it
    /// is never that of the storefront's default locale, because the standard image is for all locales without an image.
    package func encodeMembers(to json: inout JSONWriter, in fallback: LocaleFallback) {
        encodeMembers(to: &json, in: fallback, alt: fallback.pick(alt))
    }

    /// Encodes the image as clients receive it, with a description that replaces those of the image.
    func encodeMembers(to json: inout JSONWriter, in fallback: LocaleFallback, alt: String?) {
        let image = fallback.chain.lazy.compactMap { locales[$0] }.first ?? standard
        image.light.encodeMembers(to: &json)
        size.encodeMembers(to: &json)
        json.member("sizes", sizes, unless: [])
        json.member("alt", alt)
        json.member("dark", image.dark)
    }
}
