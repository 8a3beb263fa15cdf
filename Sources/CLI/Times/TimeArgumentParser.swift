internal import Arguments
import Host
internal import Values

/// The times of a command line, in the zone that it names.
struct TimeArgumentParser {
    let zone: TimeZone
    let now = Timestamp(clamping: SystemInfo.wallClock)
    private let invocation: Invocation

    /// What the server is told that times were given in.
    var zoneName: String { zone.name }

    init(_ invocation: Invocation, _ console: Console) throws {
        self.invocation = invocation
        do throws(UnknownTimeZone) {
            zone = try TimeZone.named(invocation[FeedOptions.timeZone] ?? "UTC", console.environment)
        } catch {
            throw invocation.usageError("\(error.message). \(UnknownTimeZone.advice)")
        }
    }

    /// What an option says; nil where it was not given.
    func moment(_ option: Option<String?>) throws -> Timestamp? {
        guard let text = invocation[option] else { return nil }
        do throws(TimeArgument.Mistake) {
            return try TimeArgument(text, in: zone, now: now).moment
        } catch {
            throw invocation.usageError("--\(option.declaration.name): \(error.message).")
        }
    }
}
