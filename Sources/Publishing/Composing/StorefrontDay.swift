internal import Items
internal import Postgres
internal import Values

/// A storefront on the day that it is there.
struct StorefrontDay: Equatable {
    let storefront: Storefront
    let today: CalendarDay
    /// When the next day begins.
    let midnight: Timestamp
}

extension StorefrontDay {
    /// Those of `sequencer.storefronts` and `feeds.storefronts`.
    static func all(of result: PostgresResult) throws(PostgresError) -> [StorefrontDay] {
        let rows = try result.rows(
            as: String.self, String.self, String.self, String.self, [String].self, CalendarDay.self, Timestamp.self)
        return rows.compactMap { key, currency, timeZone, defaultLocale, locales, today, midnight in
            LocaleTag(defaultLocale).map {
                StorefrontDay(
                    storefront: Storefront(
                        key: key, currency: currency, timeZone: timeZone, locales: locales.compactMap { LocaleTag($0) }, defaultLocale: $0),
                    today: today, midnight: midnight)
            }
        }
    }
}
