-- The key that signs the cursors of lists. All servers of a catalog share it, and a dump contains it. A cursor
-- therefore stays valid after a restart, on another server and in a restored database. The only row has 244 random
-- bits. To make all cursors invalid, update it and restart the servers.
CREATE TABLE secrets (
    is_the_only_one boolean NOT NULL DEFAULT true,
    cursor_key bytea NOT NULL DEFAULT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
    CONSTRAINT secrets_pkey PRIMARY KEY (is_the_only_one),
    CONSTRAINT secrets_only_one_check CHECK (is_the_only_one),
    CONSTRAINT secrets_cursor_key_check CHECK (octet_length(cursor_key) = 32)
);
INSERT INTO secrets DEFAULT VALUES;

-- The storefronts and the categories, which all items share. Their keys are written by people and appear in URLs, so
-- they are the primary keys.

-- Whether a text is the name of a time zone. Other notations that PostgreSQL accepts, such as UTC+3 or EUROPE/Berlin,
-- name no place or are unknown to some clients.
CREATE FUNCTION is_time_zone(given text) RETURNS boolean LANGUAGE sql STABLE
AS $$ SELECT EXISTS (SELECT FROM pg_catalog.pg_timezone_names AS zones WHERE zones.name = given) $$;

-- A key cannot equal the other path segments that follow /v1/.
CREATE TABLE storefronts (
    key text NOT NULL,
    currency text NOT NULL,
    time_zone text NOT NULL,
    default_locale text NOT NULL,
    CONSTRAINT storefronts_pkey PRIMARY KEY (key),
    CONSTRAINT storefronts_key_check CHECK (key ~ '^[a-z]{2}(-[a-z0-9]{1,8})?$'),
    CONSTRAINT storefronts_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT storefronts_time_zone_check CHECK (is_time_zone(time_zone)),
    -- Prices refer to both columns, so that a price has the currency of its storefront.
    CONSTRAINT storefronts_key_currency_key UNIQUE (key, currency)
);

CREATE TABLE storefront_locales (
    storefront text NOT NULL,
    locale text NOT NULL,
    -- The order in which locales are shown, from 1.
    rank smallint NOT NULL,
    CONSTRAINT storefront_locales_pkey PRIMARY KEY (storefront, locale),
    CONSTRAINT storefront_locales_rank_key UNIQUE (storefront, rank) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT storefront_locales_storefront_fkey FOREIGN KEY (storefront) REFERENCES storefronts (key) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT storefront_locales_locale_check CHECK (locale ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'),
    CONSTRAINT storefront_locales_rank_check CHECK (rank >= 1)
);

-- Each of the two rows refers to the other, so this key is checked at the end of the transaction.
ALTER TABLE storefronts ADD CONSTRAINT storefronts_default_locale_fkey
    FOREIGN KEY (key, default_locale) REFERENCES storefront_locales (storefront, locale) DEFERRABLE INITIALLY DEFERRED;

CREATE TYPE item_kind AS ENUM ('topApp', 'foodApp');

CREATE TABLE categories (
    key text NOT NULL,
    -- NULL for items of all kinds.
    item_kind item_kind,
    CONSTRAINT categories_pkey PRIMARY KEY (key),
    CONSTRAINT categories_key_check CHECK (key ~ '^[a-z0-9-]{1,80}$')
);

CREATE TABLE category_texts (
    category text NOT NULL,
    locale text NOT NULL,
    title text NOT NULL,
    CONSTRAINT category_texts_pkey PRIMARY KEY (category, locale),
    CONSTRAINT category_texts_category_fkey FOREIGN KEY (category) REFERENCES categories (key) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT category_texts_locale_check CHECK (locale ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'),
    CONSTRAINT category_texts_title_check CHECK (char_length(title) BETWEEN 1 AND 200 AND btrim(title) <> '' AND title !~ '[[:cntrl:]]')
);
