internal import CFiles

/// The OpenAPI document of the HTTP API and its rendered reference, embedded from config/api/openapi.json and docs.
package enum APIFiles {
    package static var openAPI: [UInt8] { unsafe Array(String(cString: cfiles_openapi).utf8) }
    package static var page: [UInt8] { unsafe Array(String(cString: cfiles_api_page).utf8) }
    package static var style: [UInt8] { unsafe Array(String(cString: cfiles_api_style).utf8) }
}
