/// The words of synthetic titles. The languages say the same in the same place, so that the titles of an item belong together.
enum Words {
    struct Language: Sendable {
        let locale: String
        /// Before the noun, or behind it.
        let adjectives: [String]
        let nouns: [String]
        /// What an item is for.
        let kinds: [String]
        let isNounFirst: Bool
        let space: String
        let phrase: @Sendable (String, String) -> String

        func title(_ adjective: Int, _ noun: Int, _ kind: Int?) -> String {
            let (first, second) = isNounFirst ? (nouns[noun], adjectives[adjective]) : (adjectives[adjective], nouns[noun])
            guard let kind else { return "\(first)\(space)\(second)" }
            return isNounFirst ? "\(kinds[kind]) \(first)\(space)\(second)" : "\(first)\(space)\(second) \(kinds[kind])"
        }

        func subtitle(_ noun: Int, _ kind: Int) -> String { phrase(nouns[noun], kinds[kind % kinds.count]) }
    }

    static let others = [german, arabic, japanese]

    static let english = Language(
        locale: "en",
        adjectives: list(
            """
            Quiet Bright Early Little Golden Silver Distant Gentle Hidden Patient Brave Clever Ancient Modern Warm Cool Deep Lucky
            Open Simple Swift Wild
            """),
        nouns: list(
            """
            Harbor River Garden Mountain Lantern Forest Bridge Tower Island Window Market Kitchen Library Station Meadow Desert
            Valley Castle Planet Comet Sparrow Falcon Fox Tiger Whale Turtle Olive Saffron Honey Apple Ginger Pepper
            """),
        kinds: list("Notes Maps Radio Diary Atlas Planner Studio Quest Puzzle Coach"), isNounFirst: false, space: " ",
        phrase: { "\($1) for every \($0.lowercased())" })

    static let german = Language(
        locale: "de",
        adjectives: list(
            """
            Stille Helle Frühe Kleine Goldene Silberne Ferne Sanfte Verborgene Geduldige Mutige Kluge Alte Moderne Warme Kühle
            Tiefe Glückliche Offene Einfache Schnelle Wilde
            """),
        nouns: list(
            """
            Häfen Flüsse Gärten Berge Laternen Wälder Brücken Türme Inseln Fenster Märkte Küchen Büchereien Bahnhöfe Wiesen Wüsten
            Täler Burgen Planeten Kometen Spatzen Falken Füchse Tiger Wale Schildkröten Oliven Safranfäden Honigwaben Äpfel
            Ingwerknollen Pfefferkörner
            """),
        kinds: list("Notizen Karten Radio Tagebuch Atlas Planer Studio Suche Rätsel Trainer"), isNounFirst: false, space: " ",
        phrase: { "\($1) für \($0)" })

    static let arabic = Language(
        locale: "ar",
        adjectives: list(
            """
            الهادئ المضيء الباكر الصغير الذهبي الفضي البعيد اللطيف المخفي الصبور الشجاع الذكي القديم الحديث الدافئ البارد العميق
            المحظوظ المفتوح البسيط السريع البري
            """),
        nouns: list(
            """
            المرفأ النهر البستان الجبل الفانوس الحرش الجسر البرج الأرخبيل الشبّاك السوق المطبخ الكتاب القطار المرج الرمل الوادي
            الحصن الكوكب المذنّب العصفور الصقر الثعلب النمر الحوت الدلفين الزيتون الزعفران العسل التفاح الزنجبيل الفلفل
            """),
        kinds: list("ملاحظات خرائط راديو يوميات أطلس مخطّط استوديو مغامرة لغز مدرّب"), isNounFirst: true, space: " ",
        phrase: { "\($1) عن \($0)" })

    static let japanese = Language(
        locale: "ja",
        adjectives: list("静かな 明るい 早朝の 小さな 金の 銀の 遠い やさしい 隠れた 辛抱強い 勇敢な 賢い 古い 新しい 暖かい 涼しい 深い 幸運な 開かれた 素朴な 速い 野生の"),
        nouns: list("港 川 庭 山 灯籠 森 橋 塔 島 窓 市場 台所 図書館 駅 草原 砂漠 谷 城 惑星 彗星 雀 隼 狐 虎 鯨 亀 オリーブ サフラン 蜂蜜 林檎 生姜 胡椒"),
        kinds: list("ノート 地図 ラジオ 日記 図鑑 計画帳 工房 冒険 パズル コーチ"), isNounFirst: false, space: "", phrase: { "\($0)のための\($1)" })

    /// The name of the studio or kitchen with a number: few words, and no two numbers have the same below 1,000.
    static func studio(_ number: Int) -> (first: String, second: String) {
        let first = english.nouns[number % english.nouns.count]
        let second = crafts[number / english.nouns.count % crafts.count]
        let round = number / (english.nouns.count * crafts.count)
        return (first, round == 0 ? second : "\(second) \(round + 1)")
    }

    private static let crafts = list(
        """
        Labs Works Studio Software Collective Atelier Games House Forge Loom Press Foundry Society Guild Partners Brothers
        Sisters Machines Tools Systems Mill Yard Wharf Field Arcade Bureau Factory Garage Salon Cooperative Union Office
        """)

    static let kitchens = list("Kitchen Table Oven Grill House Corner Bakery Bowl Garden Counter Cellar Canteen")

    static let cuisines = list(
        """
        pizza burgers sushi levantine chinese indian italian coffee chicken desserts mexican japanese thai bakery salads kebab
        ramen breakfast seafood korean vietnamese turkish falafel noodles ice-cream barbecue pasta persian moroccan egyptian
        peruvian ethiopian
        """)

    static let dietaryTags = list("halal vegetarian vegan gluten-free dairy-free organic nut-free kosher")

    private static func list(_ words: String) -> [String] { words.split { $0 == " " || $0 == "\n" }.map(String.init) }
}
