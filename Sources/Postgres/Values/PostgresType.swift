/// A data type by its object identifier, open to types that this file does not name.
package struct PostgresType: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The server infers the type from the context of the parameter.
    package static let inferred = PostgresType(rawValue: 0)
    package static let bool = PostgresType(rawValue: 16)
    package static let bytea = PostgresType(rawValue: 17)
    package static let int8 = PostgresType(rawValue: 20)
    package static let int2 = PostgresType(rawValue: 21)
    package static let int4 = PostgresType(rawValue: 23)
    package static let text = PostgresType(rawValue: 25)
    package static let json = PostgresType(rawValue: 114)
    package static let float8 = PostgresType(rawValue: 701)
    package static let varchar = PostgresType(rawValue: 1043)
    package static let date = PostgresType(rawValue: 1082)
    package static let timestamptz = PostgresType(rawValue: 1184)
    package static let uuid = PostgresType(rawValue: 2950)
    package static let jsonb = PostgresType(rawValue: 3802)
    package static let tstzrange = PostgresType(rawValue: 3910)

    /// Whether the binary form is the text itself: `"char"`, `name`, `text`, `json`, `xml`, `unknown`, `bpchar`,
    /// `varchar`.
    ///
    /// User-defined types also count, because enums and `citext` are sent as text. Other types fail when their bytes
    /// are decoded.
    var isText: Bool {
        switch rawValue {
        case 18, 19, 25, 114, 142, 705, 1042, 1043, 16_384...: true
        default: false
        }
    }
}

extension PostgresType: CustomStringConvertible {
    package var description: String {
        switch self {
        case .bool: "bool"
        case .bytea: "bytea"
        case .int8: "int8"
        case .int2: "int2"
        case .int4: "int4"
        case .text: "text"
        case .json: "json"
        case .float8: "float8"
        case .varchar: "varchar"
        case .date: "date"
        case .timestamptz: "timestamptz"
        case .uuid: "uuid"
        case .jsonb: "jsonb"
        case .tstzrange: "tstzrange"
        default: arrayElement.map { "\($0)[]" } ?? "type \(rawValue)"
        }
    }
}

extension PostgresType {
    /// The element type of an array type. nil if this file does not name it.
    var arrayElement: PostgresType? { Self.arrays.first { $0.array == rawValue }?.element }

    /// The array type of this type. nil if this file does not name it.
    var array: PostgresType? { Self.arrays.first { $0.element == self }.map { PostgresType(rawValue: $0.array) } }

    private static let arrays: [(element: PostgresType, array: UInt32)] = [
        (.bool, 1000), (.bytea, 1001), (.int2, 1005), (.int4, 1007), (.text, 1009), (.varchar, 1015), (.int8, 1016), (.float8, 1022),
        (.date, 1182), (.timestamptz, 1185), (.json, 199), (.uuid, 2951), (.jsonb, 3807), (.tstzrange, 3911),
    ]
}
