import Testing

@testable import Host

@Suite("The processors that a process may use")
struct UsableProcessorsTests {
    private static let status = "Name:\tvitrine\nCpus_allowed:\tff\nCpus_allowed_list:\t0-7\nMems_allowed_list:\t0\n"
    private static let unified = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
    private static let split =
        "31 30 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n32 30 0:28 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"

    private static func count(online: Int = 64, _ files: [String: String]) -> Int {
        UsableProcessors(read: { files[$0] }).count(ofOnline: online)
    }

    @Test(
        "The processors of the affinity mask are usable",
        arguments: [
            ("0-7", 8), ("0", 1), ("0-1,4,6-7", 5), ("63", 1), ("", 64), ("7-0", 64), ("x", 64), ("0-99999999999999999999", 64), ("-1", 64),
        ])
    func affinity(list: String, count: Int) {
        #expect(Self.count(["/proc/self/status": "Cpus_allowed_list:\t\(list)\n"]) == count)
    }

    @Test("All online processors are usable if the system reports nothing")
    func unknown() {
        #expect(Self.count([:]) == 64)
        #expect(Self.count(online: 0, [:]) == 1)
    }

    @Test(
        "The number of processors is limited by the quota of the control group or of one above it, rounded up",
        arguments: [
            ("max 100000", "max 100000", 8), ("150000 100000", "max 100000", 2), ("50000 100000", "max 100000", 1),
            ("max 100000", "300000 100000", 3), ("400000 100000", "200000 100000", 2), ("9000000 100000", "max 100000", 8),
            ("9223372036854775807 1", "0 100000", 8), ("nonsense", "1", 8),
        ])
    func unifiedGroups(own: String, above: String, count: Int) {
        #expect(
            Self.count([
                "/proc/self/status": Self.status, "/proc/self/cgroup": "0::/system.slice/vitrine.service\n",
                "/proc/self/mountinfo": Self.unified, "/sys/fs/cgroup/system.slice/vitrine.service/cpu.max": "\(own)\n",
                "/sys/fs/cgroup/system.slice/cpu.max": "\(above)\n",
            ]) == count)
    }

    @Test("The number of processors is limited by the quota of a container, whose group is mounted as the root")
    func containers() {
        let groups = "5:cpu,cpuacct:/docker/0f\n4:cpuset:/docker/0f\n0::/docker/0f\n"
        let quota = ["cpu.cfs_quota_us": "250000\n", "cpu.cfs_period_us": "100000\n"]
        for (root, folder) in [("/docker/0f", ""), ("/", "/docker/0f"), ("/other", "")] {
            var files = [
                "/proc/self/status": Self.status, "/proc/self/cgroup": groups,
                "/proc/self/mountinfo": Self.split.replacing(" / ", with: " \(root) "),
            ]
            for (name, text) in quota { files["/sys/fs/cgroup/cpu,cpuacct\(folder)/\(name)"] = text }
            #expect(Self.count(files) == 3)
        }
        let unified = [
            "/proc/self/status": Self.status, "/proc/self/cgroup": "0::/\n", "/proc/self/mountinfo": Self.unified,
            "/sys/fs/cgroup/cpu.max": "100000 100000\n",
        ]
        #expect(Self.count(unified) == 1)
        let unlimited = [
            "/proc/self/status": Self.status, "/proc/self/cgroup": groups, "/proc/self/mountinfo": Self.split,
            "/sys/fs/cgroup/cpu,cpuacct/docker/0f/cpu.cfs_quota_us": "-1\n",
            "/sys/fs/cgroup/cpu,cpuacct/docker/0f/cpu.cfs_period_us": "100000\n",
        ]
        #expect(Self.count(unlimited) == 8)
    }
}
