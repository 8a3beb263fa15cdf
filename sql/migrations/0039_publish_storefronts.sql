-- The storefronts as clients with a local copy see them. A document contains the values of all storefronts, and a change for a
-- client is written with what the storefront has: its currency, its time zone, its default locale and its age ratings.

-- Returns the storefronts with what the documents of items do not contain.
CREATE FUNCTION storefront_documents() RETURNS TABLE (storefront text, document json) LANGUAGE sql STABLE
AS $$
    SELECT key, json_build_object(
        'key', key, 'currency', currency, 'timeZone', time_zone,
        'locales', ARRAY(SELECT locale FROM vitrine.storefront_locales WHERE storefront_locales.storefront = key ORDER BY rank),
        'defaultLocale', default_locale, 'ratingScheme', rating_scheme, 'ratingSchemes', schemes.document)
    FROM vitrine.storefronts CROSS JOIN (SELECT vitrine.rating_scheme_documents() AS document OFFSET 0) AS schemes
$$;

-- Only the sequencer writes here, in the transactions in which it publishes documents.
CREATE TABLE published_storefronts (
    storefront text NOT NULL,
    -- The version that the storefront got when it was added, or when clients began to receive the same documents in another
    -- form. A cursor names it, and is valid only with this version. It is 0 for the storefronts of the first drain.
    version bigint NOT NULL,
    document json NOT NULL,
    CONSTRAINT published_storefronts_pkey PRIMARY KEY (storefront),
    CONSTRAINT published_storefronts_version_check CHECK (version >= 0)
);

-- Existing cursors name no version, which is 0.
INSERT INTO published_storefronts (storefront, version, document) SELECT storefront, 0, document FROM storefront_documents();
