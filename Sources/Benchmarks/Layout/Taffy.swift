import Host

/// The layout engine Taffy through its Python package, in a virtual environment under `.build`.
///
/// Python builds the tree and marks its leaves as changed; only the engine's own computation is timed.
struct Taffy {
    private static let package = "stretchable==1.1.8"

    private let python: String

    /// Installs the package if it is not installed yet.
    init() throws {
        let folder = ".build/stretchable"
        python = "\(folder)/bin/python"
        if try Files.may(.execute, python) && ProcessLaunch(python, ["-c", "import stretchable"]).output().status.isSuccess { return }
        for arguments in [["python3", "-m", "venv", folder], [python, "-m", "pip", "install", "--quiet", Self.package]] {
            let (text, status) = try ProcessLaunch(arguments[0], Array(arguments.dropFirst())).output(within: .seconds(120))
            guard status.isSuccess else {
                throw BenchmarkFailure(
                    reason: """
                        Taffy is not installed, and '\(arguments.joined(separator: " "))' failed: \(text)
                        install the package python3-venv, and give this machine access to pypi.org
                        """)
            }
        }
    }

    /// Returns the median time of one computation.
    func time(_ shape: String, items: Int, rounds: Int = 25) throws -> Duration {
        let (text, status) = try ProcessLaunch(python, ["-c", Self.script, shape, String(items), String(rounds)]).output(
            within: .seconds(60))
        guard status.isSuccess, let nanoseconds = Int(text.prefix { $0 != "\n" }) else {
            throw BenchmarkFailure(reason: "taffy: \(text)")
        }
        return .nanoseconds(nanoseconds)
    }

    private static let script = """
        import sys, time
        from stretchable import Node, taffylib
        from stretchable.node import taffy
        from stretchable.style import AUTO, FlexDirection, FlexWrap
        from stretchable.style.geometry.size import SizeAvailableSpace

        ROW, COLUMN = FlexDirection.ROW, FlexDirection.COLUMN
        leaves = []

        def box(direction, width, height, *children):
            return Node(*children, size=(width, height), flex_direction=direction, flex_shrink=0)

        def cell(side, margin):
            leaves.append(Node(size=(side, side), margin=margin, flex_shrink=0))
            return leaves[-1]

        def grid(items):
            cells = [cell(385 / 3 - 5, 2.5) for _ in range(items)]
            return Node(*cells, size=(385.001, AUTO), flex_wrap=FlexWrap.WRAP)

        def tree(items):
            def large(): return cell(161, 5)
            def pair(): return box(ROW, 171, 85.5, cell(75.5, 5), cell(75.5, 5))
            def left(): return box(COLUMN, 171, 342, large(), pair(), pair())
            def right(): return box(COLUMN, 171, 342, pair(), pair(), large())
            return box(ROW, AUTO, 342, *[box(ROW, 342, 342, left(), right()) for _ in range(items // 10)])

        shape, items, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
        root = {"grid": grid, "tree": tree}[shape](items)
        space = SizeAvailableSpace(390, 844).to_dict()
        taffy.use_rounding = False
        times = []
        for _ in range(rounds):
            for leaf in leaves: taffylib.node_mark_dirty(taffy._ptr, leaf._node_id)
            start = time.perf_counter_ns()
            assert taffylib.node_compute_layout(taffy._ptr, root._node_id, space)
            times.append(time.perf_counter_ns() - start)
        print(sorted(times)[rounds // 2])
        """
}
