internal import Access
internal import JSON
internal import Telemetry

/// A token that was made, with its secret where that is told.
struct CreatedToken: JSONEncodable {
    let record: TokenRecord
    /// Nil for whoever asks again.
    let token: AccessToken?

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("token", record)
            json.member("secret", token?.secret.exposed)
        }
    }
}
