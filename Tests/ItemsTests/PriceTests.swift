import Items
import Testing

@Suite("A price") struct PriceTests {
    @Test(
        "An amount is written in the main unit of its currency",
        arguments: [
            (299, "USD", "2.99 USD"), (5, "EUR", "0.05 EUR"), (0, "GBP", "0.00 GBP"), (150, "JPY", "150 JPY"), (1_497, "KWD", "1.497 KWD"),
            (7, "KWD", "0.007 KWD"),
        ])
    func amounts(minor: Int, currency: String, text: String) {
        #expect(Money(amountMinor: minor, currency: currency).text == text)
    }

    @Test("A discount is in whole percent, rounded down, and only a sale has one")
    func discounts() {
        func discount(_ minor: Int, of previous: Int?) -> Int? {
            ShownPrice(amount: Money(amountMinor: minor, currency: "USD"), previousMinor: previous).discountPercent
        }
        #expect(discount(299, of: 499) == 40 && discount(0, of: 1) == 100 && discount(999, of: 1_000) == 0)
        #expect(discount(299, of: nil) == nil)
        #expect(discount(0, of: Int.max) == nil && discount(Int.min, of: 1) == nil && discount(2, of: 1) == nil)
    }
}
