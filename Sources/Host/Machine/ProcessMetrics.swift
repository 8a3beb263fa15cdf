internal import Glibc

package struct ProcessMetrics: Sendable {
    package let cpuSeconds: Double
    package let residentBytes: Int
    package let openDescriptors: Int
    package let descriptorLimit: Int
    /// The start time in seconds since 1970.
    package let startSeconds: Double

    /// The current metrics. nil if `/proc` is not readable.
    package static var now: ProcessMetrics? {
        do throws(HostError) {
            // The name of the program is in parentheses and may contain spaces.
            let text = String(decoding: try Files.read("/proc/self/stat"), as: UTF8.self)
            guard let end = text.lastIndex(of: ")") else { return nil }
            let fields = text[end...].split(separator: " ").dropFirst().map { Int($0) ?? 0 }
            guard fields.count > 21 else { return nil }
            let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
            var limit = rlimit()
            _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let uptime =
                String(decoding: try Files.read("/proc/uptime"), as: UTF8.self).split(separator: " ").first.flatMap { Double($0) } ?? 0
            let boot = Double(SystemInfo.wallClock) / 1_000_000 - uptime
            return ProcessMetrics(
                cpuSeconds: Double(fields[11] + fields[12]) / ticks, residentBytes: fields[21] * sysconf(Int32(_SC_PAGESIZE)),
                openDescriptors: try Files.names(in: "/proc/self/fd").count, descriptorLimit: Int(clamping: limit.rlim_cur),
                startSeconds: boot + Double(fields[19]) / ticks)
        } catch {
            return nil
        }
    }
}
