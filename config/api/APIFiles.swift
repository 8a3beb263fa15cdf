internal import CFiles

/// The OpenAPI document of the HTTP API, embedded from the file next to this one.
package enum APIFiles {
    package static var openAPI: [UInt8] { unsafe Array(String(cString: cfiles_openapi).utf8) }
}
