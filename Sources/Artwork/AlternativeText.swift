extension Artwork {
    package static let languages = ["en", "de", "ar", "ja"]

    /// The description of the picture in the language of a locale, or in English if that language is not supported.
    package func alternativeText(_ locale: String) -> String {
        let parts = alternativeTextParts(locale)
        return parts.0 + parts.1 + parts.2
    }

    /// The three parts of `alternativeText(_:)`, none of which is created.
    package func alternativeTextParts(_ locale: String) -> (String, String, String) {
        let (figure, color) = (motif.texts, palette.name.texts)
        let language = locale.utf8.firstIndex(of: UInt8(ascii: "-")).map { locale[..<$0] } ?? locale[...]
        return switch language {
        case "de": (figure.de, " in ", color.de)
        case "ar": (figure.ar, " باللون ", color.ar)
        case "ja": (color.ja, "の", figure.ja)
        default: (figure.en, " in ", color.en)
        }
    }
}

private typealias Words = (en: String, de: String, ar: String, ja: String)

extension Motif {
    fileprivate var texts: Words {
        switch self {
        case .hills: ("Hills under a sun", "Hügel unter einer Sonne", "تلال تحت الشمس", "太陽と丘")
        case .waves: ("Waves", "Wellen", "أمواج", "波")
        case .peaks: ("Snowy peaks", "Verschneite Gipfel", "قمم ثلجية", "雪の峰")
        case .sail: ("A sailing boat", "Ein Segelboot", "قارب شراعي", "帆船")
        case .crescent: ("A crescent moon and stars", "Eine Mondsichel mit Sternen", "هلال ونجوم", "三日月と星")
        case .blossom: ("A blossom", "Eine Blüte", "زهرة متفتحة", "花")
        case .leaves: ("Three leaves", "Drei Blätter", "ثلاث أوراق شجر", "三枚の葉")
        case .citrus: ("A slice of citrus", "Eine Zitrusscheibe", "شريحة حمضيات", "柑橘の輪切り")
        case .rings: ("Rings within each other", "Ringe ineinander", "حلقات متداخلة", "重なる輪")
        case .orbit: ("A planet with a ring", "Ein Planet mit Ring", "كوكب ذو حلقة", "輪のある惑星")
        case .arches: ("Arches over each other", "Bögen übereinander", "أقواس متتالية", "重なるアーチ")
        case .tiles: ("Tiles of quarter circles", "Kacheln aus Viertelkreisen", "بلاطات من أرباع دوائر", "四分円のタイル")
        case .bubbles: ("Bubbles", "Blasen", "فقاعات", "泡")
        case .stripes: ("Diagonal stripes", "Diagonale Streifen", "خطوط مائلة", "斜めの縞")
        case .cube: ("A cube", "Ein Würfel", "مكعب", "立方体")
        case .pinwheel: ("A pinwheel", "Ein Windrad", "دوّامة ورقية", "風車")
        }
    }
}

extension Palette.Name {
    fileprivate var texts: Words {
        switch self {
        case .teal: ("teal", "Petrol", "الأزرق المخضر", "青緑")
        case .indigo: ("indigo", "Indigo", "النيلي", "藍色")
        case .coral: ("coral", "Koralle", "المرجاني", "珊瑚色")
        case .forest: ("forest green", "Waldgrün", "الأخضر الغامق", "深緑")
        case .sky: ("sky blue", "Himmelblau", "الأزرق السماوي", "空色")
        case .plum: ("plum", "Pflaume", "البرقوقي", "梅紫")
        case .sand: ("sand", "Sand", "الرملي", "砂色")
        case .midnight: ("midnight blue", "Nachtblau", "الأزرق الليلي", "濃紺")
        case .mint: ("mint", "Mint", "النعناعي", "薄荷色")
        case .rose: ("rose", "Rosa", "الوردي", "薔薇色")
        case .olive: ("olive", "Oliv", "الزيتوني", "オリーブ色")
        case .lavender: ("lavender", "Lavendel", "البنفسجي الفاتح", "藤色")
        case .brick: ("brick red", "Ziegelrot", "الأحمر القرميدي", "煉瓦色")
        case .ocean: ("ocean blue", "Meerblau", "الأزرق البحري", "群青")
        case .peach: ("peach", "Pfirsich", "الخوخي", "桃色")
        case .graphite: ("graphite", "Graphit", "الرمادي الداكن", "石墨色")
        }
    }
}
