CREATE TABLE "run_gates" (
	"workflow_id" uuid NOT NULL,
	"place" bigint NOT NULL,
	"run_id" uuid NOT NULL,
	"is_through" boolean NOT NULL,
	CONSTRAINT "run_gates_workflow_id_place_pk" PRIMARY KEY("workflow_id","place")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "run_gates_run" ON "run_gates" USING btree ("run_id");--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "holds_runs" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "max_concurrent_runs" integer;--> statement-breakpoint
-- How many runs of a workflow are through its gate at most; null: all. A gate is locked like a line, under the workflow's id, and
-- before this is read: whoever changes it has committed then.
CREATE FUNCTION gate_width(of_workflow uuid) RETURNS integer LANGUAGE sql STABLE AS $$
	SELECT CASE WHEN holds_runs THEN 0 ELSE max_concurrent_runs END FROM workflows WHERE id = of_workflow
$$;--> statement-breakpoint
-- Adds a run to the end of a gate, which is locked. A run that "passes" has ended already, if it may: it takes no place where it is
-- through at once. Those that are through are the first ones, so that it is enough to look at as many as may be.
CREATE FUNCTION enter_gate(entering uuid, of_workflow uuid, passes boolean) RETURNS boolean
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	width integer := gate_width(of_workflow);
	through boolean := width IS NULL OR (
		SELECT count(*) FROM (SELECT FROM run_gates WHERE workflow_id = of_workflow ORDER BY place LIMIT width) AS first
	) < width;
BEGIN
	IF NOT (through AND passes) THEN
		INSERT INTO run_gates (workflow_id, place, run_id, is_through)
		SELECT of_workflow, coalesce(
			(SELECT place FROM run_gates WHERE workflow_id = of_workflow ORDER BY place DESC LIMIT 1), 0
		) + 1, entering, through
		ON CONFLICT (run_id) DO NOTHING;
	END IF;
	RETURN through;
END $$;--> statement-breakpoint
-- Lets as many runs through a gate, which is locked, as may be. Returns those that were not before, in their order.
CREATE FUNCTION open_gate(of_workflow uuid) RETURNS SETOF uuid
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	width integer := gate_width(of_workflow);
BEGIN
	RETURN QUERY
	WITH opened AS (
		UPDATE run_gates AS g SET is_through = true
		FROM (
			SELECT place, is_through FROM run_gates WHERE workflow_id = of_workflow ORDER BY place LIMIT width
		) AS first
		WHERE g.workflow_id = of_workflow AND g.place = first.place AND NOT first.is_through
		RETURNING g.run_id, g.place
	)
	SELECT run_id FROM opened ORDER BY place;
END $$;--> statement-breakpoint
-- As in 0052, and runs that have their turn enter the gate of their workflow, if it has one. A run whose line is its workflow's id is in
-- no line.
CREATE OR REPLACE FUNCTION enter_lines(entering uuid[], of_workflows uuid[], of_lines uuid[], passes boolean[])
RETURNS TABLE (run_id uuid, has_turn boolean) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
	gated uuid[];
	run record;
	is_first boolean;
	is_through boolean;
BEGIN
	gated := ARRAY(
		SELECT id FROM workflows WHERE id = ANY (of_workflows) AND (max_concurrent_runs IS NOT NULL OR holds_runs)
	);
	IF cardinality(gated) = 0 AND NOT of_lines && of_workflows THEN
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
		RETURN;
	END IF;
	PERFORM lock_lines(of_lines || gated);
	FOR run IN
		SELECT * FROM unnest(entering, of_workflows, of_lines, passes) WITH ORDINALITY AS e(run_id, workflow_id, line, passes, number)
		ORDER BY e.number
	LOOP
		is_first := run.line = run.workflow_id
			OR NOT EXISTS (SELECT FROM run_lines AS l WHERE l.workflow_id = run.workflow_id AND l.line = run.line);
		is_through := is_first AND (
			NOT run.workflow_id = ANY (gated) OR enter_gate(run.run_id, run.workflow_id, run.passes)
		);
		IF run.line <> run.workflow_id AND NOT (is_through AND run.passes) THEN
			INSERT INTO run_lines (run_id, workflow_id, line, place, has_turn)
			SELECT run.run_id, run.workflow_id, run.line, coalesce((
				SELECT l.place FROM run_lines AS l WHERE l.workflow_id = run.workflow_id AND l.line = run.line
				ORDER BY l.place DESC LIMIT 1
			), 0) + 1, is_first
			ON CONFLICT (run_id) DO NOTHING;
		END IF;
		RETURN QUERY SELECT run.run_id, is_through;
	END LOOP;
END $$;--> statement-breakpoint
-- As in 0052, for gates as well. The runs that are first in their lines then enter the gate of their workflow, if it has one. Returns
-- the runs that may be executed now, which need a job.
CREATE OR REPLACE FUNCTION leave_lines(ended uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	left_workflows uuid[];
	left_lines uuid[];
	left_gates uuid[];
	next uuid[];
	run record;
BEGIN
	SELECT array_agg(workflow_id), array_agg(line) INTO left_workflows, left_lines
	FROM (SELECT DISTINCT workflow_id, line FROM run_lines WHERE run_id = ANY (ended)) AS lines;
	left_gates := ARRAY(
		SELECT workflow_id FROM run_gates WHERE run_id = ANY (ended)
		UNION
		SELECT id FROM workflows WHERE id = ANY (left_workflows) AND (max_concurrent_runs IS NOT NULL OR holds_runs)
	);
	IF left_lines IS NULL AND cardinality(left_gates) = 0 THEN
		RETURN;
	END IF;
	PERFORM lock_lines(left_lines || left_gates);
	DELETE FROM run_lines WHERE run_id = ANY (ended);
	WITH turned AS (
		UPDATE run_lines SET has_turn = true
		FROM unnest(left_workflows, left_lines) AS lines(workflow_id, line)
		CROSS JOIN LATERAL (
			SELECT l.run_id, l.has_turn FROM run_lines AS l
			WHERE l.workflow_id = lines.workflow_id AND l.line = lines.line ORDER BY l.place LIMIT 1
		) AS first
		WHERE run_lines.run_id = first.run_id AND NOT first.has_turn
		RETURNING run_lines.run_id
	)
	SELECT array_agg(run_id) INTO next FROM turned;
	IF cardinality(left_gates) = 0 THEN
		RETURN QUERY SELECT unnest(next);
		RETURN;
	END IF;
	DELETE FROM run_gates WHERE run_id = ANY (ended);
	RETURN QUERY SELECT opened FROM unnest(left_gates) AS gate CROSS JOIN LATERAL open_gate(gate) AS opened;
	FOR run IN
		SELECT l.run_id, l.workflow_id FROM run_lines AS l WHERE l.run_id = ANY (next) ORDER BY l.run_id
	LOOP
		IF NOT run.workflow_id = ANY (left_gates) OR enter_gate(run.run_id, run.workflow_id, false) THEN
			RETURN QUERY SELECT run.run_id;
		END IF;
	END LOOP;
END $$;
