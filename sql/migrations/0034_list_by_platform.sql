-- breaks older programs
-- Lists of items are filtered by the facets on:PLATFORM of the clients that can run an item, so titles have marks of them. The
-- facet platform:PLATFORM, by which lists were filtered before, is gone. A change of the platforms tells the outbox: the
-- sections of feeds are composed for the served ones.

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
    'vitrine.derive(uuid[])',
    $before$
            SELECT item_id, 'facet', 'platform:' || platform, NULL, NULL, 32767, platform FROM ids JOIN vitrine.item_platforms USING (item_id)
            UNION ALL
$before$,
    E'\n');
SELECT amend('vitrine.derive(uuid[])', '{on:%,developer:%,tag:%}', '{developer:%,tag:%}');

DROP FUNCTION amend(regprocedure, text, text);

SELECT tell_changes_of('platforms', 'tell_keys(''platform'', ''key'')');

-- The listings of all items have changed.
SELECT queue_all_items();
