-- The former slugs of items, so that links with them lead to the item. The present slugs are in items.
CREATE TABLE item_slugs (
    kind item_kind NOT NULL,
    slug text NOT NULL,
    -- The item that had the slug last.
    item_id uuid NOT NULL,
    replaced_at timestamptz NOT NULL DEFAULT transaction_timestamp(),
    CONSTRAINT item_slugs_pkey PRIMARY KEY (kind, slug),
    CONSTRAINT item_slugs_item_id_fkey FOREIGN KEY (item_id, kind) REFERENCES items (id, kind) ON DELETE CASCADE
);

CREATE INDEX item_slugs_by_item ON item_slugs (item_id, kind);

CREATE FUNCTION keep_former_slug() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO vitrine.item_slugs AS former (kind, slug, item_id)
    VALUES (OLD.kind, OLD.slug, OLD.id)
    ON CONFLICT (kind, slug) DO UPDATE SET item_id = excluded.item_id, replaced_at = excluded.replaced_at;
    RETURN NULL;
END
$$;

-- Most updates set the slug to its present value. They do not queue the trigger.
CREATE TRIGGER keep_former_slug AFTER UPDATE OF slug ON items
    FOR EACH ROW WHEN (OLD.slug <> NEW.slug) EXECUTE FUNCTION keep_former_slug();
ALTER TABLE items ENABLE ALWAYS TRIGGER keep_former_slug;

CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON item_slugs EXECUTE FUNCTION refuse_truncate();
ALTER TABLE item_slugs ENABLE ALWAYS TRIGGER refuse_truncate;
