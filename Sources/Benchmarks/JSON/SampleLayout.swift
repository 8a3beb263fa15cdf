import JSON

/// The layout of a section of the sample.
struct SampleLayout: Codable, Equatable {
    enum Kind: String, CaseIterable, Codable, JSONDecodable, JSONEncodable { case list, grid, nestedGroup, carousel }

    struct Dimension: Codable, Equatable {
        var fractionalWidth: Double?
        var fractionalHeight: Double?
        var absolute: Double?
    }

    struct Size: Codable, Equatable {
        var width: Dimension
        var height: Dimension
    }

    struct Leaf: Codable, Equatable {
        var kind: String
        var size: Size
    }

    struct Fill: Codable, Equatable {
        var equal: Int?
        var times: Int?
    }

    struct Spacing: Codable, Equatable {
        var fixed: Double?
        var flexible: Double?
    }

    struct Group: Codable, Equatable {
        var kind: String
        var size: Size
        var subitems: [Leaf]
        var fill: Fill?
        var interItemSpacing: Spacing?
    }

    struct Insets: Codable, Equatable {
        var top: Double?
        var leading: Double?
        var bottom: Double?
        var trailing: Double?
    }

    struct Boundary: Codable, Equatable {
        var elementKind: String
        var size: Size
        var alignment: String?
    }

    var kind: Kind
    var rows: Int?
    var columns: Int?
    var paging: String?
    var group: Group?
    var contentInsets: Insets?
    var interGroupSpacing: Double?
    var orthogonalScrollingBehavior: String?
    var boundarySupplementaryItems: [Boundary]?
}
