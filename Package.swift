// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled with the strictest settings that the toolchain has; a warning is an error.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .treatAllWarnings(as: .error),
    // So that one build for release has the program that is shipped and the tests of it.
    .unsafeFlags(["-enable-testing"], .when(configuration: .release)),
]

/// For the tests and what they share: optimizing them takes longer than they run.
let tests = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// For the targets that are shipped: optimized in a debug build too, or the tests take twice as long. `DEBUGGER=1 swift build` leaves it out.
/// Assertions stay on, which `-O` alone would leave out of every test.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]
let shipped = strict + (Context.environment["DEBUGGER"] == nil ? optimized : [])

/// For the targets that hold pointers: each unsafe use is spelled out in the source.
let wrapsPointers = shipped + [.strictMemorySafety()]

/// For what every request passes: the program that is shipped leaves out the checks for overlapping accesses, which a debug build has.
let hot = wrapsPointers + [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]

/// `STATIC_SWIFT=1 swift build` links Swift's library into a program. Only the link differs, so that nothing is compiled again.
let isStatic = Context.environment["STATIC_SWIFT"] != nil
let program: [LinkerSetting] = isStatic ? [.unsafeFlags(["-static-stdlib"])] : []

/// The parts of Foundation that its static form does not name by itself.
let foundation = isStatic ? ["CoreFoundation", "_FoundationICU", "_FoundationCollections", "_FoundationCShims"] : []

// The graph is drawn and explained in docs/architecture.md; scripts/check-graph compares it with the imports.
let package = Package(
    name: "vitrine",
    products: [.executable(name: "vitrine", targets: ["vitrine"])],
    targets: [
        // Values
        .target(name: "Spelling", swiftSettings: shipped),
        .target(name: "JSON", dependencies: ["Spelling"], swiftSettings: wrapsPointers),
        .target(name: "Layout", dependencies: ["JSON"], swiftSettings: shipped),
        .target(
            name: "ScreenFiles", dependencies: ["CFiles"], path: "config/screens", exclude: ["matrix.json"], swiftSettings: wrapsPointers),
        .target(name: "APIFiles", dependencies: ["CFiles"], path: "config/api", exclude: ["openapi.json"], swiftSettings: wrapsPointers),
        .target(
            name: "LocaleFiles", dependencies: ["CFiles"], path: "config/locales", exclude: ["LICENSE", "parents.json"],
            swiftSettings: wrapsPointers),
        .target(name: "CFiles"),
        .target(name: "Artwork", swiftSettings: shipped),
        .target(name: "Commands", dependencies: ["Spelling"], swiftSettings: shipped),
        .target(name: "Time", swiftSettings: shipped),
        .target(name: "Telemetry", dependencies: ["JSON", "Spelling", "Time"], swiftSettings: shipped),
        .target(
            name: "SQLFiles", dependencies: ["CFiles"], path: "sql", exclude: ["README.md", "migrations", "queries", "roles", "sample"],
            swiftSettings: wrapsPointers),
        .target(name: "CatalogSample", dependencies: ["JSON", "SQLFiles"], swiftSettings: shipped),
        .target(name: "Settings", dependencies: ["Commands", "HTTPMessages", "JSON", "Spelling", "Telemetry"], swiftSettings: shipped),
        .target(name: "HTTPMessages", swiftSettings: hot),
        .testTarget(name: "SpellingTests", dependencies: ["Spelling"], swiftSettings: tests),
        .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: tests),
        .testTarget(
            name: "LayoutTests", dependencies: ["JSON", "Layout", "ScreenFiles", "Security", "TestSupport"], exclude: ["Goldens"],
            swiftSettings: tests),
        .testTarget(
            name: "ArtworkTests", dependencies: ["Artwork", "TestSupport"], exclude: ["Goldens", "rendered.txt"], swiftSettings: tests),
        .testTarget(
            name: "CatalogSampleTests", dependencies: ["CatalogSample", "JSON", "SQLFiles", "TestSupport"], exclude: ["Goldens"],
            swiftSettings: tests),
        .testTarget(name: "CommandsTests", dependencies: ["Commands", "TestSupport"], exclude: ["Goldens"], swiftSettings: tests),
        .testTarget(name: "TimeTests", dependencies: ["TestSupport", "Time"], swiftSettings: tests),
        .testTarget(name: "TelemetryTests", dependencies: ["JSON", "Telemetry", "TestSupport", "Time"], swiftSettings: tests),
        .testTarget(
            name: "SettingsTests", dependencies: ["Commands", "JSON", "Settings", "Telemetry", "TestSupport"],
            exclude: ["Goldens"],
            swiftSettings: tests),
        .testTarget(
            name: "HTTPMessagesTests", dependencies: ["HTTPMessages", "TestSupport"], exclude: ["HTTP1/Goldens"], swiftSettings: tests),

        // Shell
        .target(name: "Host", swiftSettings: wrapsPointers),
        .testTarget(name: "HostTests", dependencies: ["Host", "TestSupport"], swiftSettings: tests),
        .target(name: "CEvent", linkerSettings: [.linkedLibrary("event_core")]),
        .target(name: "EventLoop", dependencies: ["CEvent", "Host"], swiftSettings: wrapsPointers),
        .testTarget(name: "EventLoopTests", dependencies: ["EventLoop", "Host", "Scenarios", "TestSupport"], swiftSettings: tests),
        .target(name: "PrivatePostgres", dependencies: ["Host"], swiftSettings: shipped),
        .systemLibrary(name: "COpenSSL"),
        .target(name: "Security", dependencies: ["COpenSSL"], swiftSettings: wrapsPointers),
        .testTarget(name: "SecurityTests", dependencies: ["Security"], swiftSettings: tests),
        .systemLibrary(name: "CPostgres"),
        .target(
            name: "Postgres", dependencies: ["CPostgres", "EventLoop", "Host", "JSON", "Settings", "Spelling", "Time"],
            swiftSettings: wrapsPointers),
        .testTarget(
            name: "PostgresTests",
            dependencies: [
                "EventLoop", "Host", "JSON", "Postgres", "PrivatePostgres", "SQLFiles", "Scenarios", "Security", "Settings",
                "TestDatabase", "TestProxy", "TestSupport", "Time",
            ],
            exclude: ["Migrations/Goldens", "Queries/Goldens"], swiftSettings: tests),
        .testTarget(name: "PrivatePostgresTests", dependencies: ["Host", "PrivatePostgres", "TestSupport"], swiftSettings: tests),

        .target(name: "CSocket"),
        .systemLibrary(name: "CNGHTTP2"),
        .systemLibrary(name: "CZlib"),
        .systemLibrary(name: "CBrotli"),
        .target(
            name: "HTTP",
            dependencies: ["CBrotli", "CNGHTTP2", "CSocket", "CZlib", "EventLoop", "HTTPMessages", "Host", "Security", "Time"],
            swiftSettings: hot),

        .testTarget(
            name: "HTTPTests", dependencies: ["EventLoop", "HTTP", "HTTPMessages", "Host", "Security", "TestProxy", "TestSupport"],
            exclude: ["Frames/Goldens"], swiftSettings: tests),

        // Domain
        .target(
            name: "Catalog", dependencies: ["Artwork", "JSON", "LocaleFiles", "Postgres", "Spelling", "Time"], swiftSettings: shipped),
        .testTarget(
            name: "CatalogTests",
            dependencies: [
                "Artwork", "Catalog", "EventLoop", "Host", "JSON", "Postgres", "SQLFiles", "Security", "TestDatabase", "TestSupport",
                "Time",
            ],
            exclude: ["Goldens"], swiftSettings: tests),
        .target(name: "CatalogImport", dependencies: ["Catalog", "JSON", "Postgres", "Spelling", "Time"], swiftSettings: shipped),
        .testTarget(
            name: "CatalogImportTests",
            dependencies: [
                "Catalog", "CatalogImport", "CatalogSample", "EventLoop", "JSON", "Postgres", "SQLFiles", "Security", "TestDatabase",
                "TestSupport",
            ],
            swiftSettings: tests),
        .target(
            name: "Feeds", dependencies: ["Artwork", "Catalog", "JSON", "Layout", "Postgres", "Spelling", "Time"],
            swiftSettings: shipped),
        .testTarget(
            name: "FeedsTests",
            dependencies: [
                "Catalog", "EventLoop", "Feeds", "Host", "JSON", "Layout", "Postgres", "SQLFiles", "ScreenFiles", "Security",
                "TestDatabase",
                "TestSupport",
                "Time",
            ],
            exclude: ["Documents/Fixtures", "Documents/Goldens", "Files/Goldens", "Publishing/Goldens"], swiftSettings: tests),

        .target(name: "Curating", dependencies: ["Catalog", "JSON", "Postgres", "Telemetry", "Time"], swiftSettings: shipped),
        .testTarget(
            name: "CuratingTests",
            dependencies: ["Catalog", "Curating", "Postgres", "SQLFiles", "Security", "Telemetry", "TestDatabase", "Time"],
            swiftSettings: tests),

        .target(
            name: "Sync", dependencies: ["Artwork", "Catalog", "Feeds", "JSON", "Layout", "Postgres"], swiftSettings: shipped),
        .testTarget(
            name: "SyncTests",
            dependencies: [
                "Catalog", "EventLoop", "Feeds", "Host", "JSON", "Postgres", "SQLFiles", "Security", "Sync", "TestDatabase", "TestSupport",
            ],
            swiftSettings: tests),

        // Face and executable
        .target(
            name: "API",
            dependencies: [
                "APIFiles", "Artwork", "Catalog", "CatalogImport", "Curating", "EventLoop", "Feeds", "HTTP", "HTTPMessages", "Host", "JSON",
                "Layout", "Postgres", "Security", "Spelling", "Sync", "Telemetry", "Time",
            ],
            swiftSettings: shipped),
        .target(name: "Client", dependencies: ["JSON"], swiftSettings: shipped),
        .testTarget(
            name: "StressTests",
            dependencies: [
                "Client", "EventLoop", "Feeds", "HTTP", "HTTPMessages", "Host", "JSON", "Postgres", "Security", "Settings", "TestDatabase",
                "TestSupport",
            ],
            swiftSettings: tests),
        .testTarget(name: "ClientTests", dependencies: ["Client", "JSON", "Security", "TestSupport"], swiftSettings: tests),
        .target(
            name: "Admin",
            dependencies: [
                "API", "Catalog", "CatalogImport", "CatalogSample", "Client", "Commands", "Curating", "EventLoop", "Feeds", "HTTP",
                "HTTPMessages",
                "Host",
                "JSON",
                "Layout", "Postgres", "PrivatePostgres", "SQLFiles", "ScreenFiles", "Security", "Settings", "Spelling", "Sync", "Telemetry",
                "Time",
            ],
            swiftSettings: shipped),
        .testTarget(
            name: "APITests",
            dependencies: [
                "API", "APIFiles", "Artwork", "Catalog", "CatalogImport", "Curating", "EventLoop", "Feeds", "HTTP", "HTTPMessages", "Host",
                "JSON", "Layout", "Postgres", "SQLFiles", "ScreenFiles", "Security", "Sync", "Telemetry", "TestDatabase", "TestSupport",
                "Time",
            ],
            exclude: ["Goldens"], swiftSettings: tests),
        // Optimized, as the time of the simulation is spent in it.
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "API", "Admin", "CatalogImport", "EventLoop", "Feeds", "HTTP", "HTTPMessages", "Host", "Postgres", "Settings", "Sync",
                "TestSupport", "Time",
            ],
            swiftSettings: shipped),
        .executableTarget(name: "vitrine", dependencies: ["Admin", "Commands", "Host"], swiftSettings: shipped, linkerSettings: program),
        .testTarget(
            name: "VitrineTests",
            dependencies: [
                "API", "Admin", "Catalog", "Client", "Commands", "EventLoop", "Feeds", "HTTP", "HTTPMessages", "Host", "JSON", "Layout",
                "Postgres", "PrivatePostgres", "SQLFiles", "Scenarios", "ScreenFiles", "Security", "Settings", "TestDatabase", "TestProxy",
                "TestSupport", "Time", "vitrine",
            ],
            exclude: ["Goldens", "Layout/Goldens"], swiftSettings: tests),

        // Shared by tests
        .target(name: "TestSupport", dependencies: ["EventLoop", "Host", "JSON"], path: "Tests/TestSupport", swiftSettings: tests),
        .target(name: "TestProxy", dependencies: ["EventLoop", "Host"], path: "Tests/TestProxy", swiftSettings: tests),
        .target(
            name: "TestDatabase",
            dependencies: ["EventLoop", "Host", "Postgres", "PrivatePostgres", "SQLFiles", "Security", "Settings", "TestSupport"],
            path: "Tests/TestDatabase", swiftSettings: tests),
        .executableTarget(
            name: "Scenarios",
            dependencies: [
                "API", "Admin", "EventLoop", "HTTP", "HTTPMessages", "Host", "Postgres", "Settings", "TestDatabase", "TestProxy",
            ],
            path: "Tests/Scenarios",
            swiftSettings: tests),

        // The house around the code: documents, image, scripts
        .testTarget(name: "HouseTests", dependencies: ["Settings", "TestSupport"], swiftSettings: tests),

        // Measured, not shipped
        .systemLibrary(name: "CEpoll"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "API", "Artwork", "CEpoll", "CPostgres", "Catalog", "EventLoop", "Feeds", "HTTP", "HTTPMessages", "Host", "JSON", "Layout",
                "Postgres",
                "PrivatePostgres", "SQLFiles", "ScreenFiles", "Security", "Settings", "Telemetry", "Time",
            ],
            swiftSettings: strict, linkerSettings: program + foundation.map { .linkedLibrary($0) }),
        .testTarget(name: "BenchmarksTests", dependencies: ["Benchmarks", "JSON"], swiftSettings: tests),
    ]
)

// A build of these test targets alone, as under a sanitizer: TEST_TARGETS="HTTPTests HostTests" swift build --build-tests
if let names = Context.environment["TEST_TARGETS"] {
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    var needed: Set<String> = []
    var next = names.split(separator: " ").map(String.init)
    while let name = next.popLast() {
        guard let target = targets[name] else { fatalError("TEST_TARGETS: there is no target \(name)") }
        guard needed.insert(name).inserted else { continue }
        next += target.dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll()
}
