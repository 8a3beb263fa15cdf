package import Testing

/// Gives a suite, or each case of a test, a database of its own as `ScratchDatabase.current`.
package struct DatabaseTrait: SuiteTrait, TestTrait, TestScoping {
    let template: ScratchDatabase.Template
    /// Whether each test of a suite has one.
    package var isRecursive = false

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await ScratchDatabase.run(template) { database in
            try await ScratchDatabase.$assigned.withValue(database) { try await body() }
        }
    }
}

extension Trait where Self == DatabaseTrait {
    /// With the schema of the product.
    package static var database: Self { Self(template: .migrated) }

    package static func database(_ template: ScratchDatabase.Template) -> Self { Self(template: template) }

    /// For a suite whose tests would disturb each other.
    package static var databaseForEachTest: Self { databaseForEachTest(.migrated) }

    package static func databaseForEachTest(_ template: ScratchDatabase.Template) -> Self { Self(template: template, isRecursive: true) }
}
