package import JSON

/// An amount in the smallest unit of its currency.
package struct Money: Sendable, Equatable, JSONEncodable {
    package let amountMinor: Int
    package let currency: String

    package init(amountMinor: Int, currency: String) {
        self.amountMinor = amountMinor
        self.currency = currency
    }

    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("amountMinor", amountMinor)
            $0.member("currency", currency)
        }
    }
}
