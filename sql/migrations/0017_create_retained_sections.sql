-- The sections that keep their previous items, or stay empty, because their rules failed. The sequencer stores them
-- with each drain, so that every process can report them. Clients do not read them, so they have no version.
CREATE TABLE retained_sections (
    storefront text NOT NULL,
    feed text NOT NULL,
    section text NOT NULL,
    reason text NOT NULL,
    retained_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT retained_sections_pkey PRIMARY KEY (feed, section, storefront),
    CONSTRAINT retained_sections_reason_check CHECK (reason IN ('tooFewItems', 'dropTooLarge', 'timeout'))
);
