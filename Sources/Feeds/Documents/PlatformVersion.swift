package import JSON
package import Resolve
internal import Values

/// A version of a platform, such as iOS 16.
package struct PlatformVersion: Sendable, Hashable {
    package let platform: String
    package let version: Version

    package init(platform: String, version: Version) {
        self.platform = platform
        self.version = version
    }
}

extension PlatformVersion: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let values = Array(try json.values())
        guard let value = values.first, values.count == 1 else {
            throw json.refuse(
                .invalidCount, "expected one platform with a version, found \(values.count)",
                hint: "for several platforms, write a list of objects")
        }
        guard IdentifierFormat.slug.fits(value.key) else {
            throw value.refuse(.invalidFormat, "expected \(IdentifierFormat.slug.expected) as the key")
        }
        guard let version = Version(try value.decode(as: String.self)) else {
            throw value.refuse(.invalidFormat, "expected one to four numbers of up to nine digits, such as \"16.2\"")
        }
        self.init(platform: value.key, version: version)
    }

    package func encodeMembers(to json: inout JSONWriter) { json.member(platform, version.description) }
}

extension PlatformVersion: CustomStringConvertible {
    package var description: String { "\(platform) \(version)" }
}
