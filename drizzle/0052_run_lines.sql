CREATE TABLE "run_lines" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"workflow_id" uuid NOT NULL,
	"line" uuid NOT NULL,
	"place" bigint NOT NULL,
	"has_turn" boolean NOT NULL
);
--> statement-breakpoint
CREATE INDEX "run_lines_order" ON "run_lines" USING btree ("workflow_id","line","place");--> statement-breakpoint
-- Locks lines until the transaction ends. Each of the functions below locks its lines first: what it reads and writes then is what
-- the one before it left, because statements of a function see what was committed before each of them. Lines are locked in one
-- order, so that no two transactions wait for each other; very many lines all at once, because each of these locks takes memory.
-- The plans are the same for any number of runs: planning a batch of 16 again costs as much as writing it.
CREATE FUNCTION lock_lines(of_lines uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	IF cardinality(of_lines) > 1000 THEN
		LOCK TABLE run_lines IN SHARE ROW EXCLUSIVE MODE;
		RETURN;
	END IF;
	LOCK TABLE run_lines IN ROW EXCLUSIVE MODE;
	PERFORM pg_advisory_xact_lock(number) FROM (
		SELECT DISTINCT hashtextextended(line::text, 52) AS number FROM unnest(of_lines) AS line ORDER BY number
	) AS numbers;
END $$;--> statement-breakpoint
-- Adds runs to their lines, in the order given. Those that are first in their line have their turn. A run that "passes" has ended
-- already, if it may: it takes no place where nobody is before it.
CREATE FUNCTION enter_lines(entering uuid[], of_workflows uuid[], of_lines uuid[], passes boolean[])
RETURNS TABLE (run_id uuid, has_turn boolean) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
	PERFORM lock_lines(of_lines);
	RETURN QUERY
	WITH entry AS (
		SELECT e.*, (
			SELECT place FROM run_lines WHERE workflow_id = e.workflow_id AND line = e.line ORDER BY place DESC LIMIT 1
		) AS last_place
		FROM unnest(entering, of_workflows, of_lines, passes) WITH ORDINALITY AS e(run_id, workflow_id, line, passes, number)
	), decided AS (
		SELECT *, last_place IS NULL AND count(*) FILTER (WHERE NOT passes) OVER (
			PARTITION BY line ORDER BY number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
		) = 0 AS has_turn
		FROM entry
	), entered AS (
		INSERT INTO run_lines (run_id, workflow_id, line, place, has_turn)
		SELECT run_id, workflow_id, line, coalesce(last_place, 0) + number, has_turn FROM decided
		WHERE NOT (has_turn AND passes)
		ON CONFLICT (run_id) DO NOTHING
	)
	SELECT run_id, has_turn FROM decided;
END $$;--> statement-breakpoint
-- Removes runs that have ended from their lines. Returns the runs that are first now, which need a job.
CREATE FUNCTION leave_lines(ended uuid[]) RETURNS SETOF uuid LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	left_workflows uuid[];
	left_lines uuid[];
BEGIN
	SELECT array_agg(workflow_id), array_agg(line) INTO left_workflows, left_lines
	FROM (SELECT DISTINCT workflow_id, line FROM run_lines WHERE run_id = ANY (ended)) AS lines;
	IF left_lines IS NULL THEN
		RETURN;
	END IF;
	PERFORM lock_lines(left_lines);
	DELETE FROM run_lines WHERE run_id = ANY (ended);
	RETURN QUERY
	UPDATE run_lines SET has_turn = true
	FROM unnest(left_workflows, left_lines) AS lines(workflow_id, line)
	CROSS JOIN LATERAL (
		SELECT l.run_id, l.has_turn FROM run_lines AS l
		WHERE l.workflow_id = lines.workflow_id AND l.line = lines.line ORDER BY l.place LIMIT 1
	) AS first
	WHERE run_lines.run_id = first.run_id AND NOT first.has_turn
	RETURNING run_lines.run_id;
END $$;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "line" uuid;
