-- The number of sections that imports have changed, and that the leader composes in later drains. The sections themselves are
-- only in its memory.

-- While the number is not zero, published feeds can differ from the catalog, even if all published versions are one committed
-- state of it.
ALTER TABLE sync_head
    ADD COLUMN due_sections bigint NOT NULL DEFAULT 0 CONSTRAINT sync_head_due_sections_check CHECK (due_sections >= 0);
