-- The registry of experiments and its holdout.

-- name: experiments.list
-- Returns the experiments with the keys $1, or all of them if it is NULL.
SELECT key, salt, arms::text AS arms, default_arm, state::text AS state, winner
FROM vitrine.experiments
WHERE $1::text[] IS NULL OR key = ANY ($1::text[])
ORDER BY key COLLATE "C";

-- name: experiments.holdout
SELECT salt, share FROM vitrine.holdouts;

-- name: experiments.lock
-- Excludes other changes of the registry until the end of the transaction. Readers do not wait.
LOCK TABLE vitrine.experiments IN SHARE ROW EXCLUSIVE MODE;

-- name: experiments.save
INSERT INTO vitrine.experiments (key, salt, arms, default_arm, state, winner)
VALUES ($1::text, $2::text, $3::jsonb, $4::text, $5::text::vitrine.experiment_state, $6::text)
ON CONFLICT (key) DO UPDATE SET
    salt = excluded.salt, arms = excluded.arms, default_arm = excluded.default_arm, state = excluded.state, winner = excluded.winner;

-- name: experiments.delete
DELETE FROM vitrine.experiments WHERE key = $1::text;

-- name: experiments.set_holdout
INSERT INTO vitrine.holdouts (salt, share)
VALUES ($1::text, $2::integer)
ON CONFLICT (is_only) DO UPDATE SET salt = excluded.salt, share = excluded.share;

-- name: experiments.feeds
-- Returns the feeds whose live or scheduled revisions name the experiment $1.
SELECT feed FROM vitrine.feeds_with_experiment($1::text) AS feed;
