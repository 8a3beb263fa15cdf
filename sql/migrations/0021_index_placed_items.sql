-- Separate from the constraints of the next migration, whose lock would stop reads while the index is built.
CREATE INDEX IF NOT EXISTS published_by_placed_item ON published (item_id) WHERE kind IN ('placement', 'entry') AND document IS NOT NULL;
DROP INDEX published_by_item;
