internal import Catalog
internal import Items
internal import Postgres

extension PostgresError {
    /// Whether the error depends on the data, so that the database would accept other rows.
    var isAboutData: Bool { classification == .badInput || classification == .conflict }
}

extension Reject {
    /// Creates a reject from an error of the database about a record.
    init(_ error: PostgresError, of record: CatalogRecord, line: Int) {
        let rule =
            record.rule(error)
            ?? ConstraintViolation(error).map {
                (record.imagePointer($0.constraint) ?? record.pricePointer($0.constraint) ?? $0.pointer, $0.message)
            }
        let reason =
            error.constraint.map { "rejected by the constraint \($0)" } ?? "rejected with SQLSTATE \(error.sqlState?.rawValue ?? "unknown")"
        self.init(line: line, location: .pointer(rule?.pointer ?? ""), code: .constraintViolation, reason: rule?.message ?? reason)
    }
}

extension CatalogRecord {
    /// The message for a storefront that has prices in another currency.
    static let otherCurrency = "expected the currency of the existing prices in this storefront"

    /// Returns the violation if the record breaks a constraint of other records.
    fileprivate func rule(_ error: PostgresError) -> (pointer: String, message: String)? {
        switch (self, error.constraint) {
        case (.storefront, "item_prices_currency_fkey"), (.storefront, "item_price_periods_currency_fkey"):
            ("/currency", Self.otherCurrency)
        default: nil
        }
    }

    /// Returns the pointer of the prices or price periods of a FoodApp that violate a constraint. It is empty if the record has a
    /// minimum order and a delivery fee, because the error does not name the role.
    fileprivate func pricePointer(_ constraint: String) -> String? {
        guard case .item(let item) = self, item.kind == .foodApp else { return nil }
        let members: Set<String>
        if constraint.hasPrefix("item_price_periods_") {
            members = Set(item.content.pricePeriods.map(\.role.periodsMember))
        } else if constraint.hasPrefix("item_prices_") {
            members = Set(item.content.prices.map(\.role.member))
        } else {
            return nil
        }
        guard let member = members.first, members.count == 1 else { return "" }
        return "/\(member)"
    }

    /// Returns the pointer of the images that violate a constraint, if the record has images of one role only. The error does
    /// not name the role.
    fileprivate func imagePointer(_ constraint: String) -> String? {
        guard case .item(let item) = self, constraint.hasPrefix("item_images_") else { return nil }
        let roles = Set(item.content.images.all.map(\.role))
        guard let role = roles.first, roles.count == 1 else { return nil }
        return role == "icon" ? "/image" : "/images/\(role)"
    }
}
