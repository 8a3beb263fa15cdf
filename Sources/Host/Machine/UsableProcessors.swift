/// The processors that a process may use, limited by its affinity and the CPU quotas of its control groups, version 1
/// and 2.
struct UsableProcessors {
    /// A function that returns the text of a file, or nil if it cannot be read.
    let read: (String) -> String?

    /// Returns their number, at least 1. A quota is rounded up.
    func count(ofOnline online: Int) -> Int {
        let allowed = affinity ?? online
        return max(1, quota.map { min(allowed, Int($0.rounded(.up))) } ?? allowed)
    }

    /// The size of the affinity mask. nil if it is unknown.
    private var affinity: Int? {
        let field = "Cpus_allowed_list:"
        guard let line = read("/proc/self/status")?.split(separator: "\n").first(where: { $0.hasPrefix(field) }) else { return nil }
        var count = 0
        for part in line.dropFirst(field.count).split(separator: ",") {
            let bounds = part.split(separator: "-").map { Int($0.filter { !$0.isWhitespace }) }
            guard let first = bounds.first ?? nil, let last = bounds.last ?? nil, 0...last ~= first, last < 1 << 20 else { return nil }
            count += last - first + 1
        }
        return count > 0 ? count : nil
    }

    /// The smallest quota of all control groups of the process, in processors. nil if none has one.
    private var quota: Double? {
        guard let groups = read("/proc/self/cgroup"), let mounts = read("/proc/self/mountinfo") else { return nil }
        return mounts.split(separator: "\n").compactMap { CgroupMount($0) }.flatMap { mount -> [Double] in
            guard let path = mount.path(of: groups) else { return [] }
            return folders(of: path, below: mount.point).compactMap { mount.isUnified ? unifiedQuota(of: $0) : quota(of: $0) }
        }.min()
    }

    /// Returns the folder of a group and those of its parents, which limit it too.
    private func folders(of path: Substring, below point: Substring) -> [String] {
        let names = path.split(separator: "/")
        return (0...names.count).map { point + names.prefix($0).map { "/\($0)" }.joined() }
    }

    /// Reads a quota such as `max 100000` or `150000 100000`, the time in each period.
    private func unifiedQuota(of folder: String) -> Double? {
        let parts = read("\(folder)/cpu.max")?.split(whereSeparator: \.isWhitespace) ?? []
        return parts.count == 2 ? ratio(parts[0], parts[1]) : nil
    }

    private func quota(of folder: String) -> Double? {
        guard let time = read("\(folder)/cpu.cfs_quota_us"), let period = read("\(folder)/cpu.cfs_period_us") else { return nil }
        return ratio(time.filter { !$0.isWhitespace }, period.filter { !$0.isWhitespace })
    }

    /// Returns the quota in processors. nil if the time is `max`, -1 or invalid.
    private func ratio(_ time: some StringProtocol, _ period: some StringProtocol) -> Double? {
        guard let time = Int(time), let period = Int(period), time > 0, period > 0 else { return nil }
        // Limited so that rounding cannot overflow.
        return min(Double(time) / Double(period), 1e6)
    }
}

/// A mount point of control groups that can have a CPU quota.
private struct CgroupMount {
    let isUnified: Bool
    /// The group that is mounted.
    private let root: Substring
    let point: Substring

    /// Parses a line of `/proc/self/mountinfo`. Returns nil if it is another file system or lacks the CPU controller.
    init?(_ line: Substring) {
        let parts = line.split(separator: " ")
        guard let dash = parts.firstIndex(of: "-"), dash >= 6, parts.count >= dash + 4 else { return nil }
        switch parts[dash + 1] {
        case "cgroup2": isUnified = true
        case "cgroup":
            guard parts[dash + 3].split(separator: ",").contains("cpu") else { return nil }
            isUnified = false
        default: return nil
        }
        root = parts[3]
        point = parts[4]
    }

    /// Returns the path of the process's group below the mount point, from the lines of `/proc/self/cgroup`. nil if
    /// none is mounted here.
    func path(of groups: String) -> Substring? {
        for line in groups.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, isUnified ? parts[1].isEmpty : parts[1].split(separator: ",").contains("cpu") else { continue }
            guard root != "/" else { return parts[2] }
            // In a container the group itself is mounted, and its path is the host's.
            return parts[2] == root || parts[2].hasPrefix("\(root)/") ? parts[2].dropFirst(root.count) : ""
        }
        return nil
    }
}
