internal import Feeds
internal import JSON
internal import Layout

/// The texts, the image and the button of a cell, from an item or from a card.
struct CellContent {
    let isCard: Bool
    /// The short text above the title, which only cards have.
    let kicker: String?
    /// The title. It is nil if a card has none.
    let title: String?
    let subtitle: String?
    /// The rating and the delivery time of an item.
    let facts: String?
    /// The long text of a card of a story.
    let body: String?
    let badge: String?
    /// The text of the button, which only items have.
    let button: String?
    private let image: PageImage?
    /// The wide image of an item.
    private let hero: PageImage?
    /// Whether the cell has a place for an image. Without an image, it is filled with a neutral color.
    let showsImage: Bool
    /// Whether the rating and the delivery time matter more than the subtitle.
    let prefersFacts: Bool
}

extension CellContent {
    /// Creates the content of an item, with the texts and the image that it has on the page instead of its own.
    init(_ item: PageContent.Item, _ placement: ClientPage.Item, _ words: CellWords) {
        isCard = false
        (kicker, body) = (nil, nil)
        title = placement.title
        subtitle = placement.appearance?["subtitle"]?.string ?? item.subtitle
        facts = words.facts(of: item)
        badge = placement.badges.first.map(words.badge)
        button = words.button(of: item)
        let own = placement.appearance?["image"].flatMap { PageImage($0) }
        image = own ?? item.image
        hero = own == nil ? item.hero : nil
        showsImage = true
        prefersFacts = item.isFood
    }

    /// Creates the content of a card.
    init(card: JSONNode, _ placement: ClientPage.Item, _ words: CellWords) {
        isCard = true
        kicker = card["kicker"]?.string
        title = card["title"]?.string
        subtitle = card["subtitle"]?.string
        body = card["body"]?.string
        (facts, button) = (nil, nil)
        badge = placement.badges.first.map(words.badge)
        image = card["image"].flatMap { PageImage($0) }
        hero = nil
        showsImage = card["image"] != nil
        prefersFacts = false
    }
}

extension CellContent {
    /// Returns the image that suits the proportions of a frame: the hero if the frame is wide.
    func image(in frame: Rectangle) -> PageImage? { frame.width > 1.35 * frame.height ? hero ?? image : image }
}
