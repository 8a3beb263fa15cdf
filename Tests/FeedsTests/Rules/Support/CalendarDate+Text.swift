import Postgres
import Time

extension CalendarDate {
    var text: String { String("\(Timestamp(clamping: Int(daysSince1970) * 86_400_000_000))".prefix(10)) }

    /// Of a day that a test names.
    static func of(_ text: String) -> CalendarDate {
        let days = Timestamp("\(text)T00:00:00Z").map { Int($0.microseconds) / 86_400_000_000 }
        guard let date = CalendarDate(daysSince1970: days ?? 0), days != nil else { preconditionFailure("\(text) is no day") }
        return date
    }
}
