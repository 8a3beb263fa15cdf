/// An invalid layout with one issue, and the code of that issue.
struct BrokenLayout: Sendable {
    let text: String
    let code: String

    static let all = forms + groups + parts

    private static func layout(_ group: String, _ more: String = "") -> String { #"{"group": \#(group)\#(more)}"# }

    private static let size = #""size": {"width": {"fractionalWidth": 1}, "height": {"absolute": 50}}"#
    private static let cell = #"{"kind": "item", \#(size)}"#

    private static func row(_ members: String = "", subitems: String = cell) -> String {
        #"{"kind": "horizontal", \#(size), "subitems": [\#(subitems)]\#(members)}"#
    }

    private static func sized(_ width: String) -> String {
        layout(#"{"kind": "horizontal", "size": {"width": \#(width), "height": {"absolute": 1}}, "subitems": [\#(cell)]}"#)
    }

    private static let forms = [
        BrokenLayout(text: "{}", code: "MISSING_KEY"), BrokenLayout(text: "7", code: "INVALID_TYPE"),
        BrokenLayout(text: #"{"gird": {}}"#, code: "MISSING_KEY"), BrokenLayout(text: #"{"preset": "tree"}"#, code: "INVALID_CHOICE"),
        BrokenLayout(text: #"{"preset": "photo-grid", "columns": 13}"#, code: "OUT_OF_RANGE"),
        BrokenLayout(text: #"{"preset": "plain-rows", "columns": 3}"#, code: "UNKNOWN_KEY"),
        BrokenLayout(text: #"{"nestedGroup": "photo-grid-3"}"#, code: "INVALID_CHOICE"),
        BrokenLayout(text: #"{"grid": {"columns": 0}}"#, code: "OUT_OF_RANGE"),
        BrokenLayout(text: #"{"grid": {"columns": 2.5}}"#, code: "INVALID_TYPE"),
        BrokenLayout(text: #"{"grid": {"spacing": 1}}"#, code: "INSET_RANGE"),
        BrokenLayout(text: #"{"grid": {"aspect": [1, 2, 3]}}"#, code: "INVALID_COUNT"),
        BrokenLayout(text: #"{"carousel": {"paging": "none"}}"#, code: "INVALID_CHOICE"),
        BrokenLayout(text: #"{"carousel": {"width": 0}}"#, code: "OUT_OF_RANGE"),
        BrokenLayout(text: #"{"list": {}, "grid": {}}"#, code: "INVALID_CHOICE"),
        BrokenLayout(text: #"{"list": {"appearance": "fancy"}}"#, code: "INVALID_CHOICE"),
        BrokenLayout(text: #"{"list": {"rowHeight": 44}}"#, code: "INVALID_TYPE"),
        BrokenLayout(text: #"{"list": {}, "columns": 2}"#, code: "MISSING_KEY"),
        BrokenLayout(text: #"{"list": {}, "fallback": "x"}"#, code: "INVALID_ID"),
        BrokenLayout(text: #"{"list": {}, "requires": ["group.spiral"]}"#, code: "INVALID_CHOICE"),
        BrokenLayout(text: #"{"list": {}, "alternates": {"a": "passive"}}"#, code: "INVALID_CHOICE"),
        BrokenLayout(text: #"{"grid": {"columns": null}}"#, code: "INVALID_TYPE"),
        BrokenLayout(text: #"{"list": {}, "variants": null}"#, code: "INVALID_TYPE"),
        BrokenLayout(text: #"{"list": {}, "kind": "list", "paging": null}"#, code: "INVALID_TYPE"),
        BrokenLayout(text: #"{"list": {}, "contentInsets": null}"#, code: "INVALID_TYPE"),
        BrokenLayout(text: #"{"list": {}, "effects": null}"#, code: "INVALID_TYPE"),
        BrokenLayout(text: #"{"list": {}, "variants": [{"when": {}, "layout": {"list": {}}}]}"#, code: "MISSING_KEY"),
        BrokenLayout(text: #"{"list": {}, "variants": [{"when": {"mood": 1}, "layout": {"list": {}}}]}"#, code: "UNKNOWN_KEY"),
        BrokenLayout(
            text: #"{"list": {}, "variants": [{"when": {"minWidth": 9, "mood": 1}, "layout": {"list": {}}}]}"#, code: "UNKNOWN_KEY"),
        BrokenLayout(
            text: #"{"list": {}, "variants": [{"when": {"minTextSize": "huge"}, "layout": {"list": {}}}]}"#, code: "INVALID_CHOICE"),
        BrokenLayout(text: ##"{"list": {"background": "#12345"}}"##, code: "OUT_OF_RANGE"),
        BrokenLayout(text: #"{"list": {"rowBackground": "Dark Red"}}"#, code: "OUT_OF_RANGE"),
        BrokenLayout(text: #"{"list": {"separators": {"visibility": "sometimes"}}}"#, code: "INVALID_CHOICE"),
        BrokenLayout(text: #"{"list": {"separators": {"insets": {"leading": 0.5}}}}"#, code: "INSET_RANGE"),
        BrokenLayout(text: #"{"list": {"separators": {"width": 2}}}"#, code: "UNKNOWN_KEY"),
    ]

    private static let groups = [
        BrokenLayout(text: layout(cell), code: "INVALID_CHOICE"), BrokenLayout(text: layout(row(subitems: "")), code: "EMPTY_GROUP"),
        BrokenLayout(text: layout(row(subitems: Array(repeating: cell, count: 33).joined(separator: ","))), code: "TOO_MANY_SUBITEMS"),
        BrokenLayout(text: layout(row(#", "fill": {"equal": 2}"#, subitems: "\(cell),\(cell)")), code: "ONE_SUBITEM"),
        BrokenLayout(text: layout(row(#", "fill": {"times": 2}"#, subitems: "\(cell),\(cell)")), code: "ONE_SUBITEM"),
        BrokenLayout(text: layout((0..<9).reduce(cell) { inner, _ in row(subitems: inner) }), code: "TOO_DEEP"),
        BrokenLayout(text: layout(row(#", "slot": "a""#)), code: "UNKNOWN_KEY"),
        BrokenLayout(text: layout(row(#", "fill": {"equal": 0}"#)), code: "OUT_OF_RANGE"),
        BrokenLayout(text: layout(row(#", "fill": {"equal": 1, "times": 2}"#)), code: "INVALID_CHOICE"),
        BrokenLayout(text: layout(row(#", "fill": 3"#)), code: "INVALID_TYPE"),
        BrokenLayout(text: layout(row(#", "interItemSpacing": 10"#)), code: "INVALID_TYPE"),
        BrokenLayout(text: layout(row(#", "contentInsets": {"top": 0.5}"#)), code: "INSET_RANGE"),
        BrokenLayout(text: layout(row(#", "contentInsets": {"left": 5}"#)), code: "UNKNOWN_KEY"),
        BrokenLayout(text: layout(#"{"kind": "custom", \#(size), "frames": []}"#), code: "EMPTY_GROUP"),
        BrokenLayout(text: layout(#"{"kind": "custom", \#(size), "frames": [{"width": 1}]}"#), code: "MISSING_KEY"),
        BrokenLayout(text: layout(#"{"kind": "diagonal", \#(size), "subitems": [\#(cell)]}"#), code: "INVALID_CHOICE"),
        BrokenLayout(text: layout(#"{"kind": "vertical", "subitems": [\#(cell)]}"#), code: "MISSING_KEY"),
    ]

    private static let parts = [
        BrokenLayout(text: sized("{}"), code: "MISSING_KEY"), BrokenLayout(text: sized(#"{"absolute": -1}"#), code: "OUT_OF_RANGE"),
        BrokenLayout(text: sized(#"{"absolute": "1"}"#), code: "INVALID_TYPE"),
        BrokenLayout(text: sized(#"{"absolute": [1, 2]}"#), code: "INVALID_TYPE"),
        BrokenLayout(text: sized(#"{"fractionalWidth": [1, 0]}"#), code: "OUT_OF_RANGE"),
        BrokenLayout(text: sized(#"{"fractionalWidth": [1]}"#), code: "INVALID_COUNT"),
        BrokenLayout(text: sized(#"{"fractionalWidth": 1e10}"#), code: "OUT_OF_RANGE"),
        BrokenLayout(text: layout(row(), #", "interGroupSpacing": -1"#), code: "OUT_OF_RANGE"),
        BrokenLayout(text: layout(row(), #", "orthogonalScrollingBehavior": "fast""#), code: "INVALID_CHOICE"),
        BrokenLayout(text: layout(row(), #", "orthogonalScrollingProperties": {"speed": 1}"#), code: "UNKNOWN_KEY"),
        BrokenLayout(text: layout(row(), #", "effects": [{"spin": 1}]"#), code: "MISSING_KEY"),
        BrokenLayout(text: layout(row(), #", "effects": [{"fade": {}}]"#), code: "MISSING_KEY"),
        BrokenLayout(text: layout(row(), #", "effects": [{"fade": {"min": 1.5}}]"#), code: "OUT_OF_RANGE"),
        BrokenLayout(text: layout(row(), #", "effects": [{"parallax": {"factor": 11}}]"#), code: "OUT_OF_RANGE"),
        BrokenLayout(text: layout(row(), #", "effects": [{"stretchyHeader": {}}]"#), code: "MISSING_KEY"),
        BrokenLayout(
            text: layout(
                row(),
                #", "boundarySupplementaryItems": [{"elementKind": "header", \#(size), "alignment": "bottom", "stretchyHeader": true}]"#),
            code: "INVALID_CHOICE"),
        BrokenLayout(text: layout(row(), #", "decorationItems": [{}]"#), code: "MISSING_KEY"),
        BrokenLayout(text: layout(row(), #", "decorationItems": [{"elementKind": "b", "fill": 7}]"#), code: "INVALID_TYPE"),
        BrokenLayout(text: layout(row(), #", "decorationItems": [{"elementKind": "b", "cornerRadius": -1}]"#), code: "OUT_OF_RANGE"),
        BrokenLayout(
            text: layout(row(), #", "decorationItems": [{"elementKind": "b", "fill": {"gradient": {"colors": ["accent"]}}}]"#),
            code: "INVALID_COUNT"),
        BrokenLayout(text: layout(row(), #", "boundarySupplementaryItems": [{"elementKind": "h", \#(size)}]"#), code: "MISSING_KEY"),
        BrokenLayout(text: layout(row(#", "supplementaryItems": [{"elementKind": "", \#(size)}]"#)), code: "INVALID_COUNT"),
        BrokenLayout(text: layout(row(#", "supplementaryItems": [{"elementKind": "b", \#(size), "every": 0}]"#)), code: "OUT_OF_RANGE"),
        BrokenLayout(
            text: layout(
                row(
                    #", "supplementaryItems": [{"elementKind": "b", \#(size), "containerAnchor": {"absoluteOffset": {}, "fractionalOffset": {}}}]"#
                )),
            code: "INVALID_CHOICE"),
    ]
}
