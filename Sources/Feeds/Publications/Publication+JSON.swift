package import JSON
internal import Values

extension Publication: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("feed", feed)
            json.member("layer", layer.rawValue)
            json.member("revision", revision)
            json.member("from", from.description)
            json.member("until", until?.description)
            json.member("timeZone", timeZone)
        }
    }
}
