/// The published placements, entries and memberships of items that are not published.
package enum LoosePlacements {
    package static let sql = """
        SELECT kind || ' ' || id FROM vitrine.published AS placements
        WHERE kind IN ('placement', 'entry', 'membership') AND item_id IS NOT NULL AND document IS NOT NULL AND NOT EXISTS (
            SELECT FROM vitrine.published WHERE kind = 'item' AND id = placements.item_id::text AND document IS NOT NULL)
        """
}
