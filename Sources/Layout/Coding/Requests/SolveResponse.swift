package import JSON

/// The result of a solve request: the frames or the first error.
package enum SolveResponse: Sendable {
    case solved(SolvedPage)
    case refused(code: String, pointer: JSONPointer, message: String)

    /// Reads and solves a request. Any text gets a response.
    package init(to source: [UInt8], limits: JSONLimits = .solving) {
        do throws(JSONError) {
            let request = try SolveRequest(parsing: source, limits: limits)
            do throws(LayoutError) {
                self = .solved(try request.solve())
            } catch {
                self = .refused(code: error.code.rawValue, pointer: request.pointer(to: error), message: error.sentence)
            }
        } catch {
            let issue = error.issues[0]
            let advice = issue.hint.map { "; \($0)" } ?? ""
            self = .refused(code: issue.code.rawValue, pointer: issue.pointer, message: issue.message + advice)
        }
    }
}

extension SolveResponse: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        switch self {
        case .solved(let page): page.encode(to: &json)
        case .refused(let code, let pointer, let message):
            json.object { json in
                json.member("error") { json in
                    json.member("code", code)
                    json.member("pointer", pointer.description)
                    json.member("message", message)
                }
            }
        }
    }
}

extension SolveRequest {
    /// Returns the pointer to the part of the document that an error is about. A short form has no parts to point to.
    fileprivate func pointer(to error: LayoutError) -> JSONPointer {
        guard let section = error.section else { return .root }
        let choice = layouts[section % layouts.count]
        var pointer = JSONPointer.root.appending("layouts").appending(section % layouts.count)
        var form = choice.form
        if let winner = choice.variants.firstIndex(where: { $0.condition.holds(in: environment) }) {
            pointer = pointer.appending("variants").appending(winner).appending("layout")
            form = choice.variants[winner].form
        }
        guard let root = form.rootOfGroup, let path = error.path else { return pointer }
        for key in root { pointer.append(key) }
        for index in path {
            pointer.append("subitems")
            pointer.append(index)
        }
        return pointer
    }
}

extension LayoutForm {
    /// The keys that lead to the outermost group, or nil if the curator did not write one.
    fileprivate var rootOfGroup: [String]? {
        switch self {
        case .full(let descriptor): descriptor.section.isList ? nil : ["group"]
        case .compositional(let descriptor): descriptor.section.isList ? nil : ["compositional", "group"]
        case .nestedGroup: ["nestedGroup"]
        case .list, .grid, .carousel, .preset: nil
        }
    }
}

extension LayoutSection {
    fileprivate var isList: Bool {
        if case .list = content { true } else { false }
    }
}

extension JSONLimits {
    /// The limits for a request with a layout for each of many sections.
    package static let solving = JSONLimits(bytes: 1 << 20, depth: 64)
}
