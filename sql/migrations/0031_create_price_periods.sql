-- The periods in which an item has another price than its regular one.

CREATE TABLE item_price_periods (
    item_id uuid NOT NULL,
    storefront text NOT NULL,
    role price_role NOT NULL,
    -- Both bounds are known, so that a sale always ends.
    during tstzrange NOT NULL,
    amount_minor bigint NOT NULL,
    currency text NOT NULL,
    -- The price before a sale, as the source states it. NULL for a period that is not a sale.
    former_minor bigint,
    CONSTRAINT item_price_periods_pkey PRIMARY KEY (item_id, storefront, role, during),
    CONSTRAINT item_price_periods_item_id_fkey FOREIGN KEY (item_id) REFERENCES items (id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT item_price_periods_currency_fkey FOREIGN KEY (storefront, currency) REFERENCES storefronts (key, currency),
    CONSTRAINT item_price_periods_during_check CHECK (
        NOT isempty(during) AND lower_inc(during) AND NOT upper_inc(during) AND NOT upper_inf(during)
        AND lower(during) >= '0001-01-01 00:00Z' AND upper(during) < '10000-01-01 00:00Z'),
    CONSTRAINT item_price_periods_amount_minor_check CHECK (amount_minor BETWEEN 0 AND 1000000000000),
    CONSTRAINT item_price_periods_former_minor_check CHECK (former_minor > amount_minor AND former_minor <= 1000000000000),
    -- No query contains the expressions, so that the planner searches the primary key. With this index it would read all
    -- periods of a storefront for each item while the table has no statistics.
    CONSTRAINT item_price_periods_overlap_excl EXCLUDE USING gist (
        uuid_send(item_id) WITH =, (storefront || '') WITH =, role WITH =, during WITH &&)
);

-- The sequencer searches by these for the prices that the clock changes. A period is written with its item, so its bounds
-- need no table of their own.
CREATE INDEX item_price_periods_by_start ON item_price_periods (storefront, lower(during), item_id);
CREATE INDEX item_price_periods_by_end ON item_price_periods (storefront, upper(during), item_id);

SELECT tell_changes_of('item_price_periods', 'touch_items(''item_id'')');
