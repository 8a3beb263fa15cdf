-- The ranked lists of items in a storefront. An import replaces a whole chart, so only manual changes leave gaps
-- between ranks.

CREATE TABLE charts (
    storefront text NOT NULL,
    name text NOT NULL,
    CONSTRAINT charts_pkey PRIMARY KEY (storefront, name),
    CONSTRAINT charts_storefront_fkey FOREIGN KEY (storefront) REFERENCES storefronts (key) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT charts_name_check CHECK (name ~ '^[a-z0-9-]{1,80}$')
);

CREATE TABLE chart_entries (
    storefront text NOT NULL,
    chart text NOT NULL,
    rank integer NOT NULL,
    item_id uuid NOT NULL,
    CONSTRAINT chart_entries_pkey PRIMARY KEY (storefront, chart, rank),
    CONSTRAINT chart_entries_item_id_key UNIQUE (storefront, chart, item_id) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT chart_entries_chart_fkey FOREIGN KEY (storefront, chart) REFERENCES charts (storefront, name) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT chart_entries_item_id_fkey FOREIGN KEY (item_id) REFERENCES items (id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT chart_entries_rank_check CHECK (rank >= 1)
);
