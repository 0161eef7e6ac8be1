CREATE TABLE "run_calls" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"caller_run_id" uuid NOT NULL,
	"task_id" integer NOT NULL,
	"iteration" text NOT NULL,
	"depth" smallint NOT NULL,
	"is_awaited" boolean NOT NULL
);
--> statement-breakpoint
CREATE INDEX "run_calls_caller" ON "run_calls" USING btree ("caller_run_id");--> statement-breakpoint
-- Wakes the runs that wait for these runs, which have ended in this transaction: their rows are locked. Its statements see each wait that
-- was opened before, as whoever opens one reads the called run under its lock afterwards. Returns the runs that need a job.
CREATE FUNCTION return_calls(ended uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	found uuid[];
BEGIN
	found := ARRAY(
		SELECT w.id FROM run_calls AS c
		JOIN signal_waits AS w ON w.run_id = c.caller_run_id AND w.task_id = c.task_id AND w.iteration = c.iteration
		WHERE c.run_id = ANY (ended) AND w.is_open AND w.key ^@ 'call:'
		ORDER BY w.id FOR UPDATE OF w
	);
	IF cardinality(found) = 0 THEN
		RETURN;
	END IF;
	RETURN QUERY
	UPDATE signal_waits SET is_open = false, due_at = now(), signals = signals || 'null'::text
	WHERE id = ANY (found) AND is_open RETURNING run_id;
END $$;
