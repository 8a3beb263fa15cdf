internal import HTTP
internal import HTTPMessages

extension [ResponseField] {
    /// The fields that forbid browsers to show, frame or sniff a response.
    static let security = [
        ResponseField("x-content-type-options", "nosniff"),
        ResponseField("content-security-policy", "default-src 'none'; style-src 'self'; frame-ancestors 'none'"),
        ResponseField("referrer-policy", "no-referrer"),
    ]

    /// The field that requires clients to use TLS for a year.
    static let encryption = [ResponseField("strict-transport-security", "max-age=31536000")]
}
