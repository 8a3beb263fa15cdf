internal import Arguments
import Host
internal import Values

struct TimeArgumentParser {
    let zone: TimeZone
    let now = Timestamp(clamping: SystemInfo.wallClock)
    private let invocation: Invocation

    init(_ invocation: Invocation, _ console: Console) throws {
        self.invocation = invocation
        do throws(UnknownTimeZone) {
            zone = try TimeZone.named(invocation[FeedOptions.timeZone] ?? "UTC", console.environment)
        } catch {
            throw invocation.usageError(error.message, hint: UnknownTimeZone.advice)
        }
    }

    /// Returns the time of an option for a publication; nil if it was not given. With `isLocal`, a time without an offset
    /// is a wall-clock time in each storefront.
    func plannedTime(_ option: Option<String?>, isLocal: Bool) throws -> PlannedTime? {
        guard let planned = try anyPlannedTime(option, isLocal: isLocal) else { return nil }
        guard planned.isInRange else {
            throw invocation.usageError(
                "invalid value \((invocation[option] ?? "").quoted) for '--\(option.declaration.name)': expected a time before the year 9999"
            )
        }
        return planned
    }

    private func anyPlannedTime(_ option: Option<String?>, isLocal: Bool) throws -> PlannedTime? {
        if isLocal, let text = invocation[option], let local = LocalTime(text) {
            guard let planned = PlannedTime("\(local)".split(separator: " ").joined(separator: "T")) else {
                throw invocation.usageError(
                    "invalid value \(text.quoted) for '--\(option.declaration.name)': expected whole minutes, such as '2026-12-24 18:00'")
            }
            return planned
        }
        return try time(option).map { .instant($0) }
    }

    /// Returns the time of an option; nil if it was not given.
    func time(_ option: Option<String?>) throws -> Timestamp? {
        guard let text = invocation[option] else { return nil }
        do throws(TimeArgument.ParseError) {
            return try TimeArgument(text, in: zone, now: now).time
        } catch {
            throw invocation.usageError("invalid value \(text.quoted) for '--\(option.declaration.name)': \(error.message)")
        }
    }
}

struct UnknownTimeZone: Error {
    let name: String

    var message: String { "unknown time zone \(name.quoted) on this machine" }
    static let advice = "use a name such as Europe/Stockholm or UTC, or times with an offset such as 2026-12-24T18:00:00+01:00"
}

extension TimeZone {
    /// Returns a time zone that this machine has a file for.
    static func named(_ name: String, _ environment: [String: String]) throws(UnknownTimeZone) -> TimeZone {
        if name == "UTC" { return .utc }
        let isName = name.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 | 0x20 || "/_+-".utf8.contains($0) }
        guard isName, 1...64 ~= name.utf8.count, !name.hasPrefix("/") else { throw UnknownTimeZone(name: name) }
        let folder = environment["TZDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/share/zoneinfo"
        let file: [UInt8]
        do throws(HostError) {
            file = try Files.read(Path.join(folder, name), limit: 1 << 20)
        } catch {
            throw UnknownTimeZone(name: name)
        }
        guard let zone = TimeZone(name: name, parsing: file) else { throw UnknownTimeZone(name: name) }
        return zone
    }
}
