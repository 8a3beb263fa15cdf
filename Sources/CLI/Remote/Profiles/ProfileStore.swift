internal import JSON

struct ProfileStore: Sendable, Equatable {
    private(set) var profiles: [ProfileName: Profile] = [:]
    /// The name of the profile in use; nil if no profile is.
    private(set) var inUse: ProfileName?

    subscript(name: ProfileName) -> Profile? { profiles[name] }

    /// The profiles, sorted by name.
    var sorted: [Profile] { profiles.values.sorted { $0.name < $1.name } }

    /// Adds or replaces a profile. The first one comes into use.
    mutating func set(_ profile: Profile) {
        if profiles.isEmpty { inUse = profile.name }
        profiles[profile.name] = profile
    }

    /// Puts a profile into use. Returns false if no profile has the name.
    mutating func use(_ name: ProfileName) -> Bool {
        guard profiles[name] != nil else { return false }
        inUse = name
        return true
    }

    mutating func remove(_ name: ProfileName) -> Profile? {
        if inUse == name { inUse = nil }
        return profiles.removeValue(forKey: name)
    }
}

extension ProfileStore: JSONObjectDecodable, JSONObjectEncodable {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("use", inUse?.description)
        json.member("profiles") { json in
            for profile in sorted { json.member(profile.name.description, profile) }
        }
    }

    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let word = object.optional("use", as: String.self)
        let listed = object.member("profiles")
        profiles = try listed.map { list throws(JSONReadError) in try Self.profiles(list) } ?? [:]
        inUse = word.flatMap { ProfileName($0) }.flatMap { profiles[$0]?.name }
    }

    private static func profiles(_ json: JSONReader) throws(JSONReadError) -> [ProfileName: Profile] {
        var profiles: [ProfileName: Profile] = [:]
        for value in try json.values() {
            guard let name = ProfileName(value.key) else {
                throw value.refuse(.invalidType, "expected a name of letters, digits, dots, hyphens and underscores")
            }
            profiles[name] = try Profile(name, from: value)
        }
        return profiles
    }
}
