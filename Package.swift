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
]

/// For targets that read memory through pointers: each such expression is marked `unsafe`.
let strictWithPointers: [SwiftSetting] = strict + [.strictMemorySafety()]

// The graph is drawn and explained in docs/architecture.md.
let package = Package(
    name: "vitrine",
    targets: [
        // Values
        .target(name: "Spelling", swiftSettings: strict),
        .target(name: "JSON", dependencies: ["Spelling"], swiftSettings: strictWithPointers),
        // Measured, not shipped
        .executableTarget(name: "Benchmarks", dependencies: ["JSON"], swiftSettings: strict),
        // Tests
        .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: strict),
        .testTarget(name: "SpellingTests", dependencies: ["Spelling"], swiftSettings: strict),

        // The command line
        .target(name: "Commands", dependencies: ["Spelling"], swiftSettings: strict),
        .testTarget(name: "CommandsTests", dependencies: ["Commands"], exclude: ["Goldens"], swiftSettings: strict),
    ]
)
