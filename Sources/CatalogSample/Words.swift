/// The words of synthetic titles. Each index has the same meaning in every language, so that the titles of an item
/// match.
enum Words {
    /// A text as bytes, which are only copied.
    typealias Text = [UInt8]

    struct Language: Sendable {
        /// The separator from the text of the previous language, with the key of this one: `","de":"`.
        let key: Text
        /// The adjectives, which come before or after the noun.
        let adjectives: [Text]
        let nouns: [Text]
        /// The purposes of an item.
        let kinds: [Text]
        let isNounFirst: Bool
        let space: Text
        /// The text between the two words of a subtitle.
        let link: Text

        init(
            _ locale: String, adjectives: String, nouns: String, kinds: String, isNounFirst: Bool = false, space: String = " ",
            link: String
        ) {
            key = Array("\",\"\(locale)\":\"".utf8)
            self.adjectives = list(adjectives)
            self.nouns = list(nouns)
            self.kinds = list(kinds)
            self.isNounFirst = isNounFirst
            self.space = Array(space.utf8)
            self.link = Array(link.utf8)
        }

        func addTitle(_ adjective: Int, _ noun: Int, _ kind: Int?, to line: inout JSONLineBuilder) {
            if isNounFirst, let kind {
                line.add(kinds[kind])
                line.add(" ")
            }
            line.add(isNounFirst ? nouns[noun] : adjectives[adjective])
            line.add(space)
            line.add(isNounFirst ? adjectives[adjective] : nouns[noun])
            if !isNounFirst, let kind {
                line.add(" ")
                line.add(kinds[kind])
            }
        }

        func addSubtitle(_ noun: Int, _ kind: Int, to line: inout JSONLineBuilder) {
            line.add(nouns[noun])
            line.add(link)
            line.add(kinds[kind % kinds.count])
        }
    }

    static let others = [german, arabic, japanese]

    static let english = Language(
        "en",
        adjectives: """
            Quiet Bright Early Little Golden Silver Distant Gentle Hidden Patient Brave Clever Ancient Modern Warm Cool Deep Lucky
            Open Simple Swift Wild
            """,
        nouns: """
            Harbor River Garden Mountain Lantern Forest Bridge Tower Island Window Market Kitchen Library Station Meadow Desert
            Valley Castle Planet Comet Sparrow Falcon Fox Tiger Whale Turtle Olive Saffron Honey Apple Ginger Pepper
            """,
        kinds: "Notes Maps Radio Diary Atlas Planner Studio Quest Puzzle Coach", link: " and its ")

    static let german = Language(
        "de",
        adjectives: """
            Stille Helle Frühe Kleine Goldene Silberne Ferne Sanfte Verborgene Geduldige Mutige Kluge Alte Moderne Warme Kühle
            Tiefe Glückliche Offene Einfache Schnelle Wilde
            """,
        nouns: """
            Häfen Flüsse Gärten Berge Laternen Wälder Brücken Türme Inseln Fenster Märkte Küchen Büchereien Bahnhöfe Wiesen Wüsten
            Täler Burgen Planeten Kometen Spatzen Falken Füchse Tiger Wale Schildkröten Oliven Safranfäden Honigwaben Äpfel
            Ingwerknollen Pfefferkörner
            """,
        kinds: "Notizen Karten Radio Tagebuch Atlas Planer Studio Suche Rätsel Trainer", link: " und ")

    static let arabic = Language(
        "ar",
        adjectives: """
            الهادئ المضيء الباكر الصغير الذهبي الفضي البعيد اللطيف المخفي الصبور الشجاع الذكي القديم الحديث الدافئ البارد العميق
            المحظوظ المفتوح البسيط السريع البري
            """,
        nouns: """
            المرفأ النهر البستان الجبل الفانوس الحرش الجسر البرج الأرخبيل الشبّاك السوق المطبخ الكتاب القطار المرج الرمل الوادي
            الحصن الكوكب المذنّب العصفور الصقر الثعلب النمر الحوت الدلفين الزيتون الزعفران العسل التفاح الزنجبيل الفلفل
            """,
        kinds: "ملاحظات خرائط راديو يوميات أطلس مخطّط استوديو مغامرة لغز مدرّب", isNounFirst: true, link: " و")

    static let japanese = Language(
        "ja",
        adjectives: "静かな 明るい 早朝の 小さな 金の 銀の 遠い やさしい 隠れた 辛抱強い 勇敢な 賢い 古い 新しい 暖かい 涼しい 深い 幸運な 開かれた 素朴な 速い 野生の",
        nouns: "港 川 庭 山 灯籠 森 橋 塔 島 窓 市場 台所 図書館 駅 草原 砂漠 谷 城 惑星 彗星 雀 隼 狐 虎 鯨 亀 オリーブ サフラン 蜂蜜 林檎 生姜 胡椒",
        kinds: "ノート 地図 ラジオ 日記 図鑑 計画帳 工房 冒険 パズル コーチ", space: "", link: "と")

    /// The keys of titles that repeat the English one, in the form of `Language.key`.
    static let countries = ["en-AU", "en-GB", "en-IN"].map { Array("\",\"\($0)\":\"".utf8) }

    static let names = starts.count * middles.count * endings.count

    /// Adds the invented name with this number, such as Velenira.
    static func addName(_ number: Int, to line: inout JSONLineBuilder) {
        line.add(starts[number % starts.count])
        line.add(middles[number / starts.count % middles.count])
        line.add(endings[number / starts.count / middles.count])
    }

    private static let starts = list(
        """
        Vel Tam Kor Lum Nar Sol Bri Cal Dor Fen Gal Hal Ing Jor Kel Lan Mar Nol Orn Pel Quin Ros Sel Tor Ulm Ver Wen Yar Zel Ash Bel Cor
        """)
    private static let middles = list("a e i o u ara eni ilo ona uri ami evo ito ola una aya")
    private static let endings = list("ra lo na mi to va ris so la ne dia ko ren vi ta nix")

    static let slugs = (
        adjectives: english.adjectives.map { $0.map { $0 | 0x20 } }, nouns: english.nouns.map { $0.map { $0 | 0x20 } }
    )

    /// Adds the name of the studio or kitchen with this number. The names have few words, and each number has its own. The craft
    /// changes with each number, because a few numbers have most items.
    static func addStudio(_ number: Int, to line: inout JSONLineBuilder) {
        line.add(english.nouns[number % english.nouns.count])
        line.add(" ")
        line.add(crafts[(number + number / english.nouns.count) % crafts.count])
        let round = number / (english.nouns.count * crafts.count)
        guard round > 0 else { return }
        line.add(" ")
        line.add(round + 1)
    }

    private static let crafts = list(
        """
        Labs Works Studio Software Collective Atelier Games House Forge Loom Press Foundry Society Guild Partners Brothers
        Sisters Machines Tools Systems Mill Yard Wharf Field Arcade Bureau Factory Garage Salon Cooperative Union Office
        """)

    static let cuisines = list(
        """
        pizza burgers sushi levantine chinese indian italian coffee chicken desserts mexican japanese thai bakery salads kebab
        ramen breakfast seafood korean vietnamese turkish falafel noodles ice-cream barbecue pasta persian moroccan egyptian
        peruvian ethiopian
        """)

    static let dietaryTags = list("halal vegetarian vegan gluten-free dairy-free organic nut-free kosher")
}

private func list(_ text: String) -> [Words.Text] {
    text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }.map { Array($0) }
}
