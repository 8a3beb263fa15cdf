-- By the key, a cursor is recognised that was handed out for this catalog. It is kept here, as all servers of a catalog share its database and
-- none has to be told of it: a cursor outlives a restart, goes from one server to the next, and comes along with a dump. One row, of 244 random
-- bits; with an UPDATE and a restart, no cursor is good any more.
CREATE TABLE secrets (
    is_the_only_one boolean NOT NULL DEFAULT true,
    cursor_key bytea NOT NULL DEFAULT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
    CONSTRAINT secrets_pkey PRIMARY KEY (is_the_only_one),
    CONSTRAINT secrets_only_one_check CHECK (is_the_only_one),
    CONSTRAINT secrets_cursor_key_check CHECK (octet_length(cursor_key) = 32)
);
INSERT INTO secrets DEFAULT VALUES;

-- The shops and the words that all items share. Keys are written by people and stand in URLs, so they are the primary keys.

-- Names alone: what else a server would read, such as UTC+3 or EUROPE/Berlin, is no place or none that every client knows.
CREATE FUNCTION is_time_zone(given text) RETURNS boolean LANGUAGE sql STABLE
AS $$ SELECT EXISTS (SELECT FROM pg_catalog.pg_timezone_names AS zones WHERE zones.name = given) $$;

-- The key is no word that stands behind /v1/ for something else.
CREATE TABLE storefronts (
    key text NOT NULL,
    currency text NOT NULL,
    time_zone text NOT NULL,
    default_locale text NOT NULL,
    CONSTRAINT storefronts_pkey PRIMARY KEY (key),
    CONSTRAINT storefronts_key_check CHECK (key ~ '^[a-z]{2}(-[a-z0-9]{1,8})?$'),
    CONSTRAINT storefronts_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT storefronts_time_zone_check CHECK (is_time_zone(time_zone)),
    -- Prices refer to both, so that none is in another currency than its storefront.
    CONSTRAINT storefronts_key_currency_key UNIQUE (key, currency)
);

CREATE TABLE storefront_locales (
    storefront text NOT NULL,
    locale text NOT NULL,
    -- From 1, in the order in which they are shown.
    rank smallint NOT NULL,
    CONSTRAINT storefront_locales_pkey PRIMARY KEY (storefront, locale),
    CONSTRAINT storefront_locales_rank_key UNIQUE (storefront, rank) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT storefront_locales_storefront_fkey FOREIGN KEY (storefront) REFERENCES storefronts (key) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT storefront_locales_locale_check CHECK (locale ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'),
    CONSTRAINT storefront_locales_rank_check CHECK (rank >= 1)
);

-- Each of the two rows needs the other, so they are compared when the transaction ends.
ALTER TABLE storefronts ADD CONSTRAINT storefronts_default_locale_fkey
    FOREIGN KEY (key, default_locale) REFERENCES storefront_locales (storefront, locale) DEFERRABLE INITIALLY DEFERRED;

CREATE TYPE item_kind AS ENUM ('topApp', 'foodApp');

CREATE TABLE categories (
    key text NOT NULL,
    -- NULL for items of every kind.
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
