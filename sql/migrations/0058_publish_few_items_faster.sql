-- Publishes a few items with a plan that is made once for a session.
--
-- A plan for the given items takes several times as long as publishing one of them, and each edit waits for it. A plan for any
-- items is made while the tables can still be small, and would then read all of their rows until the database analyzes them. So
-- that of a few items only searches indexes and joins rows one by one. It can read a whole index if it is made for analyzed, empty
-- tables. More items have a plan of their own, because such joins compare all of their memberships with each other.
CREATE FUNCTION amend(changed regprocedure, before text, after text) RETURNS void LANGUAGE plpgsql
AS $$
DECLARE
    definition text := pg_get_functiondef(changed);
BEGIN
    IF cardinality(string_to_array(definition, before)) <> 2 THEN
        RAISE EXCEPTION 'the function % does not contain this part exactly once: %', changed, before;
    END IF;
    EXECUTE replace(definition, before, after);
END
$$;

SELECT amend(
    'vitrine.publish_items(uuid[], bigint, timestamptz, uuid[])',
    $before$
    written bigint;
BEGIN
$before$,
    $after$
    written bigint;
    planner record;
BEGIN
    SELECT
        current_setting('enable_seqscan') AS seqscan, current_setting('enable_hashjoin') AS hashjoin,
        current_setting('enable_mergejoin') AS mergejoin
    INTO planner;
    IF cardinality(touched) <= 5 THEN
        PERFORM
            set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
            set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true);
    END IF;
$after$);
SELECT amend(
    'vitrine.publish_items(uuid[], bigint, timestamptz, uuid[])',
    $before$
    RETURN written;
$before$,
    $after$
    PERFORM
        set_config('enable_seqscan', planner.seqscan, true), set_config('enable_hashjoin', planner.hashjoin, true),
        set_config('enable_mergejoin', planner.mergejoin, true);
    RETURN written;
$after$);

-- Subtracts the wanted memberships in one pass. If rows are joined one by one, the previous condition compares each item and
-- storefront with each of them.
SELECT amend(
    'vitrine.publish_items(uuid[], bigint, timestamptz, uuid[])',
    $before$
            SELECT id, key, false
            FROM restricted CROSS JOIN vitrine.storefronts
            WHERE begins AND NOT EXISTS (SELECT FROM wanted WHERE (wanted.id, wanted.storefront) = (restricted.id, key))
$before$,
    $after$
            (
                SELECT id, key, false FROM restricted CROSS JOIN vitrine.storefronts WHERE begins
                EXCEPT
                SELECT id, storefront, false FROM wanted
            )
$after$);

DROP FUNCTION amend(regprocedure, text, text);
