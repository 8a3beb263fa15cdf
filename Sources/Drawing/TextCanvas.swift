internal import Values

/// A grid of characters on which boxes are drawn. Content beyond its edges is clipped.
struct TextCanvas {
    private struct Spot {
        /// The character, or nil if the previous one takes two columns.
        var character: Character? = " "
        var color: Int?
    }

    let width: Int
    private var rows: [[Spot]]

    init(width: Int, height: Int) {
        self.width = width
        rows = Array(repeating: Array(repeating: Spot(), count: width), count: height)
    }

    /// Draws a box over half-open ranges of columns and rows, with a centered word.
    mutating func box(columns: Range<Int>, rows: Range<Int>, _ word: String, color: Int?) {
        guard columns.count > 0, rows.count > 0 else { return }
        if rows.count > 1, columns.count > 1 {
            let (left, right, top, bottom) = (columns.lowerBound, columns.upperBound - 1, rows.lowerBound, rows.upperBound - 1)
            for column in columns {
                draw("─", column, top, color)
                draw("─", column, bottom, color)
            }
            for row in rows {
                draw("│", left, row, color)
                draw("│", right, row, color)
            }
            for (character, column, row) in [("╭", left, top), ("╮", right, top), ("╰", left, bottom), ("╯", right, bottom)] {
                draw(Character(character), column, row, color)
            }
        } else {
            for column in columns { for row in rows { draw("▪", column, row, color) } }
        }
        let room = rows.count > 2 ? columns.count - 2 : columns.count
        // A long word wraps if the box has more lines.
        let lines = word.broken(into: max(1, room)).prefix(max(1, rows.count - 2))
        for (index, line) in lines.enumerated() {
            let line = line.prefix(columns: max(0, room))
            write(
                String(line), columns.lowerBound + (columns.count - line.columns) / 2,
                rows.lowerBound + (rows.count - lines.count) / 2 + index, color)
        }
    }

    mutating func fill(columns: Range<Int>, row: Int, _ character: Character, color: Int?) {
        for column in columns { draw(character, column, row, color) }
    }

    mutating func write(_ text: String, _ column: Int, _ row: Int, _ color: Int?) {
        var column = column
        for character in text {
            draw(character, column, row, color)
            if character.columns == 2 { draw(nil, column + 1, row, color) }
            column += character.columns
        }
    }

    private mutating func draw(_ character: Character?, _ column: Int, _ row: Int, _ color: Int?) {
        guard rows.indices.contains(row), (0..<width).contains(column) else { return }
        rows[row][column] = Spot(character: character, color: color)
    }

    func lines(isColored: Bool) -> [String] {
        rows.map { row in
            let end = row.lastIndex { $0.character != " " }.map { $0 + 1 } ?? 0
            var line = ""
            var color: Int?
            for spot in row[..<end] {
                if isColored, spot.color != color {
                    line += spot.color.map { "\u{1B}[\($0)m" } ?? "\u{1B}[0m"
                    color = spot.color
                }
                if let character = spot.character { line.append(character) }
            }
            return color == nil ? line : line + "\u{1B}[0m"
        }
    }
}
