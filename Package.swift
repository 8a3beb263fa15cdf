// swift-tools-version: 6.2
import PackageDescription

/// The strictest settings of the toolchain, for every target. A warning is an error.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .treatAllWarnings(as: .error),
    // One release build contains both the shipped program and its tests.
    .unsafeFlags(["-enable-testing"], .when(configuration: .release)),
]

/// The settings of the tests and their helpers. Optimizing them takes longer than running them.
let tests = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// The settings of the shipped targets. They are optimized in a debug build too, because the tests would take twice as
/// long otherwise. `DEBUGGER=1 swift build` turns this off. Assertions stay enabled, which `-O` alone would remove.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]
let shipped = strict + (Context.environment["DEBUGGER"] == nil ? optimized : [])

/// The settings of the targets with pointers. Each unsafe use is marked in the source.
let wrapsPointers = shipped + [.strictMemorySafety()]

/// The settings of the code in the path of every request, added to others. The shipped program omits the checks for
/// overlapping accesses, which a debug build has.
let hot: [SwiftSetting] = [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]

/// `STATIC_SWIFT=1 swift build` links the Swift library statically. Only the link step differs, so nothing is
/// recompiled.
let isStatic = Context.environment["STATIC_SWIFT"] == "1"
let program: [LinkerSetting] = isStatic ? [.unsafeFlags(["-static-stdlib"])] : []

/// The parts of Foundation that a static link must name explicitly.
let foundation = isStatic ? ["CoreFoundation", "_FoundationICU", "_FoundationCollections", "_FoundationCShims"] : []

// docs/architecture.md shows and explains the graph; scripts/check-graph compares it with the imports.
let package = Package(
    name: "vitrine",
    products: [.executable(name: "vitrine", targets: ["vitrine"])],
    targets: [
        // Values
        .target(name: "Values", swiftSettings: wrapsPointers),
        .target(name: "JSON", dependencies: ["Values"], swiftSettings: wrapsPointers),
        .target(name: "Resolve", dependencies: ["JSON", "Values"], swiftSettings: shipped),
        .target(name: "Layout", dependencies: ["JSON"], swiftSettings: shipped),
        .target(
            name: "ScreenFiles", dependencies: ["CFiles", "JSON", "Layout"], path: "config/screens", exclude: ["matrix.json"],
            swiftSettings: wrapsPointers),
        .target(name: "APIFiles", dependencies: ["CFiles"], path: "config/api", exclude: ["openapi.json"], swiftSettings: wrapsPointers),
        .target(
            name: "LocaleFiles", dependencies: ["CFiles"], path: "config/locales", exclude: ["LICENSE", "chains.tsv", "parents.json"],
            swiftSettings: wrapsPointers),
        .target(name: "CFiles"),
        .target(name: "Artwork", swiftSettings: shipped),
        .target(name: "Arguments", dependencies: ["Values"], swiftSettings: shipped),
        .target(name: "Telemetry", dependencies: ["JSON", "Values"], swiftSettings: shipped),
        .target(
            name: "SQLFiles", dependencies: ["CFiles"], path: "sql", exclude: ["README.md", "migrations", "queries", "roles", "sample"],
            swiftSettings: wrapsPointers),
        .target(name: "CatalogSample", dependencies: ["JSON", "SQLFiles"], swiftSettings: shipped),
        .target(name: "HTTPMessages", swiftSettings: wrapsPointers + hot),
        .testTarget(name: "ValuesTests", dependencies: ["TestSupport", "Values"], swiftSettings: tests),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "Values"], swiftSettings: tests),
        .testTarget(
            name: "LayoutTests", dependencies: ["JSON", "Layout", "ScreenFiles", "Security", "TestSupport"],
            exclude: ["Embedded", "Goldens"],
            swiftSettings: tests),
        // Optimized, because the tests spend their time in their own model.
        .testTarget(name: "ResolveTests", dependencies: ["JSON", "Resolve", "TestSupport"], swiftSettings: shipped),
        .testTarget(
            name: "ArtworkTests", dependencies: ["Artwork", "HTTP", "Host", "TestSupport"],
            exclude: ["Goldens", "compare-images", "rendered.txt"], swiftSettings: tests),
        .testTarget(
            name: "CatalogSampleTests", dependencies: ["CatalogSample", "JSON", "SQLFiles", "TestSupport"], exclude: ["Goldens"],
            swiftSettings: tests),
        .testTarget(
            name: "ArgumentsTests", dependencies: ["Arguments", "TestSupport", "Values"], exclude: ["Goldens"], swiftSettings: tests),
        .testTarget(name: "TelemetryTests", dependencies: ["JSON", "Telemetry", "TestSupport", "Values"], swiftSettings: tests),
        .testTarget(
            name: "SettingsTests", dependencies: ["Arguments", "JSON", "Postgres", "Settings", "Telemetry", "TestSupport"],
            exclude: ["Goldens"],
            swiftSettings: tests),
        .testTarget(
            name: "HTTPMessagesTests", dependencies: ["HTTPMessages", "TestSupport"], exclude: ["HTTP1/Goldens"], swiftSettings: tests),

        // Shell
        .target(name: "Host", swiftSettings: wrapsPointers + hot),
        .testTarget(name: "HostTests", dependencies: ["Host", "TestSupport"], swiftSettings: tests),
        .target(name: "CEvent", linkerSettings: [.linkedLibrary("event_core")]),
        .target(name: "EventLoop", dependencies: ["CEvent", "Host"], swiftSettings: wrapsPointers + hot),
        .testTarget(
            name: "EventLoopTests", dependencies: ["EventLoop", "Host", "Scenarios", "TestSupport"], swiftSettings: tests),
        .target(name: "EmbeddedPostgres", dependencies: ["Host", "Values"], swiftSettings: shipped),
        .systemLibrary(name: "COpenSSL"),
        .target(name: "Security", dependencies: ["COpenSSL"], swiftSettings: wrapsPointers + hot),
        .testTarget(name: "SecurityTests", dependencies: ["Security"], swiftSettings: tests),
        .systemLibrary(name: "CPostgres"),
        .target(
            name: "Postgres", dependencies: ["Arguments", "CPostgres", "EventLoop", "Host", "JSON", "SQLFiles", "Telemetry", "Values"],
            swiftSettings: wrapsPointers),
        .testTarget(
            name: "PostgresTests",
            dependencies: [
                "Scenarios",
                "Arguments", "EmbeddedPostgres", "EventLoop", "Host", "JSON", "Postgres", "SQLFiles", "Security", "Settings", "Telemetry",
                "TestDatabase", "TestProxy", "TestSupport", "Values",
            ],
            exclude: ["Migrations/Goldens", "Queries/Goldens"], swiftSettings: tests),
        .testTarget(name: "EmbeddedPostgresTests", dependencies: ["EmbeddedPostgres", "Host", "TestSupport"], swiftSettings: tests),

        .target(name: "CSocket"),
        .systemLibrary(name: "CNGHTTP2"),
        .systemLibrary(name: "CZlib"),
        .systemLibrary(name: "CBrotli"),
        .target(
            name: "HTTP",
            dependencies: ["CBrotli", "CNGHTTP2", "CSocket", "CZlib", "EventLoop", "HTTPMessages", "Host", "Security", "Values"],
            swiftSettings: wrapsPointers + hot),

        .testTarget(
            name: "HTTPTests",
            dependencies: ["EventLoop", "HTTP", "HTTPMessages", "Host", "Security", "TestProxy", "TestSupport"],
            exclude: ["Frames/Goldens"], swiftSettings: tests),

        // Domain
        .target(name: "Items", dependencies: ["Artwork", "JSON", "LocaleFiles", "Values"], swiftSettings: shipped),
        .target(
            name: "Catalog", dependencies: ["Items", "JSON", "Postgres", "Values"], swiftSettings: shipped),
        .testTarget(
            name: "ItemsTests", dependencies: ["Artwork", "Items", "JSON", "TestSupport", "Values"], swiftSettings: tests),
        .testTarget(
            name: "CatalogTests",
            dependencies: [
                "Artwork", "Catalog", "EventLoop", "Host", "Items", "JSON", "Postgres", "Security", "TestDatabase", "TestSupport", "Values",
            ],
            exclude: ["Goldens"], swiftSettings: tests),
        .target(name: "CatalogImport", dependencies: ["Catalog", "Feeds", "Items", "JSON", "Postgres", "Values"], swiftSettings: shipped),
        .testTarget(
            name: "CatalogImportTests",
            dependencies: [
                "Catalog", "CatalogImport", "CatalogSample", "EventLoop", "Items", "JSON", "Postgres", "SQLFiles", "Security",
                "TestDatabase", "TestSupport", "Values",
            ],
            exclude: ["Reading/Goldens"], swiftSettings: tests),
        .target(
            name: "Feeds", dependencies: ["Artwork", "Items", "JSON", "Layout", "Resolve", "Values"],
            swiftSettings: shipped),
        .target(name: "Drawing", dependencies: ["Artwork", "Feeds", "Items", "JSON", "Layout", "Values"], swiftSettings: shipped),
        .testTarget(
            name: "DrawingTests", dependencies: ["Drawing", "Feeds", "JSON", "Layout", "ScreenFiles", "TestSupport", "Values"],
            exclude: ["Goldens"], swiftSettings: tests),
        .target(
            name: "Publishing", dependencies: ["Artwork", "Catalog", "Feeds", "Items", "JSON", "Layout", "Postgres", "Resolve", "Values"],
            swiftSettings: shipped),
        .testTarget(
            name: "FeedsTests",
            dependencies: [
                "Feeds", "Items", "JSON", "Layout", "Resolve", "SQLFiles", "ScreenFiles", "Security", "TestSupport", "Values",
            ],
            exclude: ["Documents/Fixtures", "Documents/Goldens", "Files/Goldens", "Reviewing/Goldens"], swiftSettings: tests),

        .testTarget(
            name: "PublishingTests",
            dependencies: [
                "Catalog", "EventLoop", "Feeds", "Host", "Items", "JSON", "Layout", "Postgres", "Publishing", "Resolve", "SQLFiles",
                "ScreenFiles", "Security", "Sync", "TestDatabase", "TestSupport", "Values",
            ], exclude: ["Store/Goldens"], swiftSettings: tests),
        .target(name: "Access", dependencies: ["JSON", "Postgres", "Telemetry", "Values"], swiftSettings: shipped),
        .testTarget(
            name: "AccessTests",
            dependencies: ["Access", "Catalog", "Items", "Postgres", "Security", "Telemetry", "TestDatabase", "Values"],
            swiftSettings: tests),

        .target(
            name: "Sync", dependencies: ["Artwork", "Catalog", "Feeds", "Items", "JSON", "Layout", "Postgres", "Publishing", "Values"],
            swiftSettings: shipped),
        .testTarget(
            name: "SyncTests",
            dependencies: [
                "Catalog", "EventLoop", "Feeds", "Host", "Items", "JSON", "Postgres", "Publishing", "Security", "Sync", "TestDatabase",
                "TestSupport", "Values",
            ],
            swiftSettings: tests),

        // API, client and executable
        .target(
            name: "API",
            dependencies: [
                "APIFiles", "Access", "Artwork", "Catalog", "CatalogImport", "EventLoop", "Feeds", "HTTP", "HTTPMessages", "Host", "Items",
                "JSON", "Layout", "Postgres", "Publishing", "Resolve", "Security", "Sync", "Telemetry", "Values",
            ],
            swiftSettings: shipped),
        .target(name: "VitrineClient", dependencies: ["JSON", "Resolve", "Values"], swiftSettings: shipped),
        .testTarget(
            name: "StressTests",
            dependencies: [
                "EventLoop", "Feeds", "HTTP", "HTTPMessages", "Host", "JSON", "Postgres", "Publishing", "Resolve", "Security", "Settings",
                "TestDatabase", "TestSupport", "VitrineClient",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "VitrineClientTests", dependencies: ["JSON", "Resolve", "Security", "TestSupport", "Values", "VitrineClient"],
            swiftSettings: tests),
        .target(
            name: "Settings", dependencies: ["Arguments", "HTTPMessages", "JSON", "Postgres", "Telemetry", "Values"], swiftSettings: shipped
        ),
        .target(
            name: "Server",
            dependencies: [
                "API", "Catalog", "EventLoop", "Feeds", "HTTP", "HTTPMessages", "Host", "JSON", "Layout", "Postgres", "Publishing",
                "SQLFiles", "ScreenFiles", "Security", "Settings", "Sync", "Telemetry", "Values",
            ], swiftSettings: shipped),
        .target(
            name: "CLI",
            dependencies: [
                "API", "APIFiles", "Access", "Arguments", "CatalogImport", "CatalogSample", "Drawing", "EmbeddedPostgres", "EventLoop",
                "Feeds", "HTTP", "HTTPMessages", "Host", "Items", "JSON", "Layout", "Postgres", "Publishing", "Resolve", "SQLFiles",
                "ScreenFiles", "Security", "Server", "Settings", "Sync", "Telemetry", "Values", "VitrineClient",
            ],
            swiftSettings: shipped),
        .testTarget(
            name: "APITests",
            dependencies: [
                "API", "APIFiles", "Access", "Artwork", "Catalog", "CatalogImport", "EventLoop", "Feeds", "HTTP", "HTTPMessages", "Host",
                "Items", "JSON", "Layout", "Postgres", "Publishing", "Resolve", "SQLFiles", "ScreenFiles", "Security", "Server", "Settings",
                "Sync", "Telemetry", "TestDatabase", "TestSupport", "Values", "VitrineClient",
            ],
            exclude: ["Goldens"], swiftSettings: tests),
        // Optimized, because the simulation spends its time in its own code.
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "API", "CatalogImport", "EventLoop", "Feeds", "HTTP", "HTTPMessages", "Host", "Postgres", "Publishing", "Server",
                "Settings", "Sync", "TestSupport", "Values",
            ],
            swiftSettings: shipped),
        .executableTarget(name: "vitrine", dependencies: ["Arguments", "CLI", "Host"], swiftSettings: shipped, linkerSettings: program),
        .testTarget(
            name: "VitrineTests",
            dependencies: [
                "API", "Arguments", "CLI", "Catalog", "CatalogImport", "EmbeddedPostgres", "EventLoop", "Feeds", "HTTP", "HTTPMessages",
                "Host", "Items",
                "JSON", "Layout", "Postgres", "Publishing", "SQLFiles", "Scenarios", "ScreenFiles", "Security", "Server", "Settings",
                "Telemetry", "TestDatabase", "TestProxy", "TestSupport", "Values", "VitrineClient", "vitrine",
            ],
            exclude: ["Goldens", "Layout/Goldens"], swiftSettings: tests),

        // Shared by tests
        .target(name: "TestSupport", dependencies: ["EventLoop", "Host", "JSON"], path: "Tests/TestSupport", swiftSettings: tests),
        .target(name: "TestProxy", dependencies: ["EventLoop", "Host"], path: "Tests/TestProxy", swiftSettings: tests),
        .target(
            name: "TestDatabase",
            dependencies: ["EmbeddedPostgres", "EventLoop", "Host", "Postgres", "SQLFiles", "Security", "Settings", "TestSupport"],
            path: "Tests/TestDatabase", swiftSettings: tests),
        .executableTarget(
            name: "Scenarios",
            dependencies: [
                "API", "EventLoop", "HTTP", "HTTPMessages", "Host", "Postgres", "Server", "Settings", "TestDatabase", "TestProxy",
            ],
            path: "Tests/Scenarios",
            swiftSettings: tests),

        // Documents, image and scripts
        .testTarget(
            name: "RepositoryTests", dependencies: ["Arguments", "CLI", "Settings", "TestSupport"], swiftSettings: tests),

        // Benchmarks, which are not shipped
        .systemLibrary(name: "CBrotliDecoder"),
        .systemLibrary(name: "CEpoll"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "API", "Artwork", "CBrotliDecoder", "CEpoll", "CPostgres", "Catalog", "EmbeddedPostgres", "EventLoop", "Feeds", "HTTP",
                "HTTPMessages",
                "Host", "Items", "JSON", "Layout", "Postgres", "Publishing", "Resolve", "ScreenFiles", "Security", "Settings", "Telemetry",
                "Values",
            ],
            // Optimized, because the tests include a trial with many clients.
            swiftSettings: shipped, linkerSettings: program + foundation.map { .linkedLibrary($0) }),
        .testTarget(name: "BenchmarksTests", dependencies: ["Benchmarks", "Host", "JSON", "Values", "vitrine"], swiftSettings: tests),
    ]
)

// Builds only these test targets and their dependencies, for example under a sanitizer:
// TEST_TARGETS="HTTPTests HostTests" swift build --build-tests
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
