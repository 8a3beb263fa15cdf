-- Computes the spans of a storefront again, and records those that move and those that cannot.
--
-- A span of a base that cannot move can still get another end, if the next base moves. It counts as one that cannot move.
CREATE OR REPLACE FUNCTION move_and_record_spans(of_storefront text) RETURNS void LANGUAGE plpgsql
AS $$
DECLARE
    publications bigint[];
    periods tstzrange[];
    are_moved boolean[];
BEGIN
    PERFORM vitrine.hold_storefronts(exclusively => true);
    -- The span is read as it was when this statement began, which is before it moved.
    SELECT array_agg(moved.publication), array_agg(span.during), array_agg(moved.is_moved) INTO publications, periods, are_moved
    FROM (SELECT publication, bool_and(is_moved) AS is_moved FROM vitrine.move_spans(of_storefront) GROUP BY publication) AS moved
    JOIN vitrine.publication_spans AS span ON span.publication = moved.publication AND span.storefront = of_storefront;
    -- Spans that could not move before were just tried again.
    DELETE FROM vitrine.moved_spans
    WHERE storefront = of_storefront AND NOT is_moved AND publication <> ALL (coalesce(publications, '{}'));
    INSERT INTO vitrine.moved_spans AS present (publication, storefront, before, is_moved)
    SELECT publication, of_storefront, before, is_moved FROM unnest(publications, periods, are_moved) AS given (publication, before, is_moved)
    ON CONFLICT (publication, storefront) DO UPDATE SET
        before = CASE WHEN present.is_moved THEN present.before ELSE excluded.before END, is_moved = excluded.is_moved;
END
$$;
