internal import Items

/// The words and numbers of cells in the language of a page. A real client has its own; these are for the languages of
/// the sample catalog, and English for all others.
struct CellWords {
    let locale: String
    private var language: String { String(locale.prefix { $0 != "-" }) }

    var seeAll: String { word("See All", de: "Alle anzeigen", ar: "عرض الكل", ja: "すべて表示") }
    private var get: String { word("Get", de: "Laden", ar: "تنزيل", ja: "入手") }
    private var order: String { word("Order", de: "Bestellen", ar: "اطلب", ja: "注文") }
    private var minutes: String { word(" min", de: " Min.", ar: " دقيقة", ja: "分") }

    /// The text of the button of an item: its price, or the action if it is free.
    func button(of item: PageContent.Item) -> String {
        if item.isFood { return order }
        guard let price = item.price, price.minor > 0 else { return get }
        return text(of: price)
    }

    /// The rating and the delivery time of an item, or nil if it has neither.
    func facts(of item: PageContent.Item) -> String? {
        var facts: [String] = []
        if let rating = item.rating { facts.append("★ \(number(Int((rating * 10).rounded()), decimals: 1))") }
        if let range = item.deliveryMinutes { facts.append("\(range.from)–\(range.to)\(minutes)") }
        return facts.isEmpty ? nil : facts.joined(separator: " · ")
    }

    /// The text of a badge: the word of a client for `new`, otherwise its name in words.
    func badge(_ name: String) -> String {
        if name == "new" { return word("New", de: "Neu", ar: "جديد", ja: "新着") }
        let words = name.replacing("-", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// Returns the text of a supplementary item, whose kind can name its shape: "New" for `new-banner`.
    func supplementary(_ kind: String) -> String {
        let shape = ["-banner", "-badge", "-ribbon"].first { kind.hasSuffix($0) }
        return badge(String(kind.dropLast(shape?.count ?? 0)))
    }

    func text(of amount: PageContent.Item.Amount) -> String {
        let number = number(amount.minor, decimals: Money.decimals(of: amount.currency))
        let symbol = Self.symbols[amount.currency]
        switch language {
        case "de", "fr", "es", "it": return "\(number)\u{A0}\(symbol ?? amount.currency)"
        case "ar": return "\(number)\u{A0}\(Self.arabicSymbols[amount.currency] ?? symbol ?? amount.currency)"
        default: return symbol.map { "\($0)\(number)" } ?? "\(amount.currency)\u{A0}\(number)"
        }
    }

    private func number(_ units: Int, decimals: Int) -> String {
        let (comma, dot) = ["de", "fr", "es", "it"].contains(language) ? (".", ",") : (",", ".")
        var digits = String(units.magnitude)
        while digits.count <= decimals { digits = "0" + digits }
        let fraction = digits.suffix(decimals)
        var whole = ""
        for (place, digit) in digits.dropLast(decimals).reversed().enumerated() {
            if place > 0, place % 3 == 0 { whole = comma + whole }
            whole = String(digit) + whole
        }
        return decimals == 0 ? whole : "\(whole)\(dot)\(fraction)"
    }

    private func word(_ english: String, de: String, ar: String, ja: String) -> String {
        switch language {
        case "de": de
        case "ar": ar
        case "ja": ja
        default: english
        }
    }

    private static let symbols = ["USD": "$", "GBP": "£", "EUR": "€", "JPY": "¥", "KRW": "₩", "INR": "₹"]
    private static let arabicSymbols = ["SAR": "ر.س", "KWD": "د.ك", "AED": "د.إ", "EGP": "ج.م"]
}
