import JSON
import Testing
import Values

@testable import Items

@Suite("An image template") struct ImageTemplateTests {
    private static let record = """
        {"template":"https://cdn.example/{w}x{h}.jpg","color":"#1F6F8B","blurhash":"L6Pj0^i_","width":1920,"height":1080,\
        "sizes":[[640,360],[1920,1080]],"alt":{"de":"Hafen","en":"Harbor"},"dark":{"template":"/night/{w}/{h}","color":"#000000"},\
        "locales":{"ar":{"template":"/ar/{w}/{h}","dark":{"template":"/ar-night/{w}/{h}"}},"ja":{"template":"/ja/{w}/{h}"}}}
        """
    private static let storefront = Storefront(
        key: "us", currency: "USD", timeZone: "UTC", locales: ["en", "ar", "ja"].compactMap { LocaleTag($0) }, defaultLocale: .english)

    /// Reads an image in which one part is replaced.
    private func read(_ part: String = "\"width\"", _ other: String = "\"width\"") throws -> ImageTemplate {
        try #require(Self.record.contains(part))
        return try ImageTemplate(parsing: Array(Self.record.replacing(part, with: other).utf8))
    }

    /// Returns the image as a client with a locale receives it.
    private func rendered(_ image: ImageTemplate, _ locale: String) throws -> String {
        let locales = LocaleFallback(try #require(LocaleTag(locale)), in: Self.storefront)
        var json = JSONWriter()
        json.object { image.encodeMembers(to: &$0, in: locales) }
        return String(decoding: try json.finish(), as: UTF8.self)
    }

    @Test("An image is written as it was read")
    func roundTrip() throws {
        #expect(String(decoding: try read().json(), as: UTF8.self) == Self.record)
    }

    @Test("Equal images have the same text, in whatever order and notation they were written")
    func canonical() throws {
        for (part, other) in [
            ("[640,360],[1920,1080]", "[1920,1080],[640,360]"), ("#1F6F8B", "#1f6f8b"),
            ("\"de\":\"Hafen\",\"en\":\"Harbor\"", "\"en\":\"Harbor\",\"de\":\"Hafen\""),
        ] {
            #expect(String(decoding: try read(part, other).json(), as: UTF8.self) == Self.record, "\(other)")
        }
    }

    @Test(
        "An invalid image is rejected with the pointer and code of its issue",
        arguments: [
            ("https://cdn.example/{w}x{h}.jpg", "http://cdn.example/{w}x{h}.jpg", "/template", "INVALID_FORMAT"),
            ("https://cdn.example/{w}x{h}.jpg", "//cdn.example/{w}x{h}.jpg", "/template", "INVALID_FORMAT"),
            ("https://cdn.example/{w}x{h}.jpg", "/{w}", "/template", "INVALID_FORMAT"),
            ("https://cdn.example/{w}x{h}.jpg", "/{w}x{h}x{h}", "/template", "INVALID_FORMAT"),
            ("https://cdn.example/{w}x{h}.jpg", "/a.jpg", "/template", "INVALID_FORMAT"),
            ("/night/{w}/{h}", "/night", "/dark/template", "INVALID_FORMAT"),
            ("/ar/{w}/{h}", "/ar", "/locales/ar/template", "INVALID_FORMAT"),
            ("/ar-night/{w}/{h}", "/night", "/locales/ar/dark/template", "INVALID_FORMAT"),
            ("#1F6F8B", "teal", "/color", "INVALID_FORMAT"), ("L6Pj0^i_", "L6", "/blurhash", "INVALID_FORMAT"),
            ("\"width\":1920", "\"width\":16385", "/width", "OUT_OF_RANGE"), ("\"width\":1920,", "", "", "MISSING_KEY"),
            ("[640,360]", "[640,1081]", "/sizes/0", "OUT_OF_RANGE"), ("[640,360]", "[640]", "/sizes/0", "OUT_OF_RANGE"),
            ("[640,360]", "[0,360]", "/sizes/0", "OUT_OF_RANGE"), ("[640,360]", "[1920,1080]", "/sizes/1", "DUPLICATE"),
            ("[[640,360],[1920,1080]]", "[]", "/sizes", "INVALID_COUNT"), ("\"Harbor\"", "\" \"", "/alt", "INVALID_FORMAT"),
            ("\"ja\"", "\"JA\"", "/locales/JA", "INVALID_FORMAT"), ("\"template\":\"/ja/{w}/{h}\"", "", "/locales/ja", "MISSING_KEY"),
            ("\"template\":\"/ja/{w}/{h}\"", "\"template\":\"/ja/{w}/{h}\",\"width\":1", "/locales/ja/width", "UNKNOWN_KEY"),
            ("\"width\"", "\"url\":\"/a.jpg\",\"width\"", "/url", "UNKNOWN_KEY"),
        ])
    func rejected(part: String, other: String, pointer: String, code: String) throws {
        let error = try #require(throws: JSONError.self) { try read(part, other) }
        #expect(
            error.issues.contains { $0.pointer.description == pointer && $0.code.rawValue == code && !$0.message.isEmpty },
            "\(error.issues)")
    }

    @Test("A template without placeholders is an image of one size")
    func fixed() throws {
        let text = #"{"template":"/a.jpg","width":640,"height":360,"sizes":[[640,360]],"dark":{"template":"/b.jpg"}}"#
        let image = try ImageTemplate(parsing: Array(text.utf8))
        #expect(String(decoding: try image.json(), as: UTF8.self) == text)
        for width in [1, 640, 5_000] {
            let size = ImageTemplate.Size.choice(among: image.sizes, upTo: image.size, width: width)
            #expect(image.standard.light.url(of: size) == "/a.jpg" && image.standard.dark?.url(of: size) == "/b.jpg")
        }
        for sizes in [#","sizes":[[640,360],[320,180]]"#, ""] {
            let other = text.replacing(#","sizes":[[640,360]]"#, with: sizes)
            let error = #expect(throws: JSONError.self) { try ImageTemplate(parsing: Array(other.utf8)) }
            #expect(error?.issues.map(\.pointer.description).sorted() == ["/dark/template", "/template"])
        }
    }

    @Test("An image with invalid sizes has no other issue, although its template has no placeholders")
    func invalidSizes() throws {
        for sizes in ["[[640]]", "[]", "[[1,1],[1,1]]", "[[9999,1]]", "1"] {
            let text = #"{"template":"/a.jpg","width":640,"height":360,"sizes":\#(sizes)}"#
            let error = try #require(throws: JSONError.self) { try ImageTemplate(parsing: Array(text.utf8)) }
            #expect(error.issues.allSatisfy { $0.pointer.description.hasPrefix("/sizes") }, "\(error.issues)")
        }
    }

    @Test("A client receives the image, the text and the dark appearance of its locale")
    func locales() throws {
        let sizes = #""width":1920,"height":1080,"sizes":[[640,360],[1920,1080]]"#
        let image = try read()
        #expect(
            try rendered(image, "en") == """
                {"template":"https://cdn.example/{w}x{h}.jpg","color":"#1F6F8B","blurhash":"L6Pj0^i_",\(sizes),"alt":"Harbor",\
                "dark":{"template":"/night/{w}/{h}","color":"#000000"}}
                """)
        #expect(
            try rendered(image, "ar-SA")
                == #"{"template":"/ar/{w}/{h}",\#(sizes),"alt":"Harbor","dark":{"template":"/ar-night/{w}/{h}"}}"#)
        #expect(try rendered(image, "ja") == #"{"template":"/ja/{w}/{h}",\#(sizes),"alt":"Harbor"}"#)
    }

    @Test("A client never receives the image of the storefront's default locale, or the English one, instead of the standard one")
    func standard() throws {
        let storefront = Storefront(
            key: "sa", currency: "SAR", timeZone: "UTC", locales: ["ar", "en", "de"].compactMap { LocaleTag($0) },
            defaultLocale: try #require(LocaleTag("ar")))
        let german = LocaleFallback(try #require(LocaleTag("de-AT")), in: storefront)
        let images = ["", #","de":{"template":"/de/{w}/{h}"}"#].map { own in
            #"{"template":"/{w}/{h}","width":8,"height":8,"locales":{"ar":{"template":"/ar/{w}/{h}"},"en":{"template":"/en/{w}/{h}"}\#(own)}}"#
        }
        let templates = try images.map { text in
            var json = JSONWriter()
            let image = try ImageTemplate(parsing: Array(text.utf8))
            json.object { image.encodeMembers(to: &$0, in: german) }
            return try JSONDocument(parsing: json.finish()).root["template"]?.string
        }
        #expect(templates == ["/{w}/{h}", "/de/{w}/{h}"])
    }

    @Test("A lenient reading skips unreadable sizes, and keeps the largest one if no size is readable")
    func lenientSizes() throws {
        for (sizes, widths) in [
            (#"[[640,360],[640],"x",[9999,9999],[320,180]]"#, [320, 640]), ("[[0,0]]", [1_920]), ("[]", [1_920]), ("7", [1_920]),
        ] {
            let text = #"{"template":"/{w}/{h}","width":1920,"height":1080,"sizes":\#(sizes)}"#
            let image = try JSONDocument(parsing: Array(text.utf8), limits: .ownOutput).decodeLeniently(ImageTemplate.self).value
            #expect(image.sizes.map(\.width) == widths, "\(sizes)")
        }
    }

    @Test("A client chooses the smallest size that is wide enough, or else the largest")
    func choice() {
        let largest = ImageTemplate.Size(width: 1_920, height: 1_080)
        let sizes = [(1_920, 1_080), (640, 360), (1_280, 720)].map { ImageTemplate.Size(width: $0, height: $1) }
        for (needed, width) in [(1, 640), (640, 640), (641, 1_280), (1_280, 1_280), (1_281, 1_920), (9_999, 1_920)] {
            #expect(ImageTemplate.Size.choice(among: sizes, upTo: largest, width: needed).width == width, "\(needed)")
        }
        for (needed, size) in [(1, (1, 1)), (100, (100, 56)), (1_280, (1_280, 720)), (9_999, (1_920, 1_080)), (0, (1, 1))] {
            let chosen = ImageTemplate.Size.choice(among: [], upTo: largest, width: needed)
            #expect((chosen.width, chosen.height) == size, "\(needed)")
        }
    }

    @Test("A published image is read although its values violate later rules")
    func lenient() throws {
        let text = #"{"template":"ftp://a","color":"red","width":99999,"height":1,"locales":{"x-y":{"template":"b"},"en":{}},"frame":1}"#
        let image = try JSONDocument(parsing: Array(text.utf8), limits: .ownOutput).decodeLeniently(ImageTemplate.self).value
        #expect(image.standard.light.template == "ftp://a" && image.size.width == 99_999 && image.locales.isEmpty)
    }
}
