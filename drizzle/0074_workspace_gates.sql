CREATE TABLE "workspace_gates" (
	"workspace_id" uuid NOT NULL,
	"place" bigint NOT NULL,
	"run_id" uuid NOT NULL,
	"is_through" boolean NOT NULL,
	CONSTRAINT "workspace_gates_workspace_id_place_pk" PRIMARY KEY("workspace_id","place")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "workspace_gates_run" ON "workspace_gates" USING btree ("run_id");--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "max_concurrent_runs" integer;--> statement-breakpoint
CREATE INDEX "workspaces_with_limit" ON "workspaces" USING btree ("id") WHERE max_concurrent_runs is not null;--> statement-breakpoint
-- Whether one more run of a workspace may be executed. Its gate is locked like a line, under the workspace's id, before this is read. Those
-- that are through are the first ones, so that it is enough to look at as many as may be.
CREATE FUNCTION has_room_in_workspace(of_workspace uuid) RETURNS boolean
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	width integer := (SELECT max_concurrent_runs FROM workspaces WHERE id = of_workspace);
BEGIN
	RETURN width IS NULL OR (
		SELECT count(*) FROM (SELECT FROM workspace_gates WHERE workspace_id = of_workspace ORDER BY place LIMIT width) AS first
	) < width;
END $$;--> statement-breakpoint
-- Adds a run to the end of the gate of a workspace, which is locked, as enter_gate does (0062).
CREATE FUNCTION enter_workspace_gate(entering uuid, of_workspace uuid, passes boolean) RETURNS boolean
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	through boolean := has_room_in_workspace(of_workspace);
BEGIN
	IF NOT (through AND passes) THEN
		INSERT INTO workspace_gates (workspace_id, place, run_id, is_through)
		SELECT of_workspace, coalesce(
			(SELECT place FROM workspace_gates WHERE workspace_id = of_workspace ORDER BY place DESC LIMIT 1), 0
		) + 1, entering, through
		ON CONFLICT (run_id) DO NOTHING;
	END IF;
	RETURN through;
END $$;--> statement-breakpoint
-- Lets as many runs through the gate of a workspace, which is locked, as may be. Returns those that were not before, in their order.
CREATE FUNCTION open_workspace_gate(of_workspace uuid) RETURNS SETOF uuid
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	width integer := (SELECT max_concurrent_runs FROM workspaces WHERE id = of_workspace);
BEGIN
	RETURN QUERY
	WITH opened AS (
		UPDATE workspace_gates AS g SET is_through = true
		FROM (
			SELECT place, is_through FROM workspace_gates WHERE workspace_id = of_workspace ORDER BY place LIMIT width
		) AS first
		WHERE g.workspace_id = of_workspace AND g.place = first.place AND NOT first.is_through
		RETURNING g.run_id, g.place
	)
	SELECT run_id FROM opened ORDER BY place;
END $$;--> statement-breakpoint
-- Runs that have ended leave the gates of workspaces, and runs whose turn it is otherwise enter them. Gates of workspaces are locked after
-- all lines and gates of workflows, so that no two transactions wait for each other. Returns the runs that may be executed now.
CREATE FUNCTION pass_workspace_gates(ended uuid[], passing uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	left_gates uuid[];
	limited uuid[];
	run record;
BEGIN
	left_gates := ARRAY(SELECT DISTINCT workspace_id FROM workspace_gates WHERE run_id = ANY (ended));
	limited := ARRAY(SELECT id FROM workspaces WHERE max_concurrent_runs IS NOT NULL);
	IF cardinality(limited) > 0 AND cardinality(passing) > 0 THEN
		limited := ARRAY(SELECT DISTINCT workspace_id FROM runs WHERE id = ANY (passing) AND workspace_id = ANY (limited));
	ELSE
		limited := '{}';
	END IF;
	IF cardinality(left_gates) = 0 AND cardinality(limited) = 0 THEN
		RETURN QUERY SELECT unnest(passing);
		RETURN;
	END IF;
	PERFORM lock_lines(left_gates || limited);
	DELETE FROM workspace_gates WHERE run_id = ANY (ended);
	RETURN QUERY SELECT opened FROM unnest(left_gates) AS gate CROSS JOIN LATERAL open_workspace_gate(gate) AS opened;
	FOR run IN
		SELECT r.id, r.workspace_id FROM unnest(passing) WITH ORDINALITY AS p(id, number) JOIN runs AS r ON r.id = p.id ORDER BY p.number
	LOOP
		IF NOT run.workspace_id = ANY (limited) OR EXISTS (SELECT FROM run_calls WHERE run_id = run.id)
			OR enter_workspace_gate(run.id, run.workspace_id, false) THEN
			RETURN NEXT run.id;
		END IF;
	END LOOP;
END $$;--> statement-breakpoint
-- The gate of a workflow, as before.
ALTER FUNCTION open_gate(uuid) RENAME TO open_workflow_gate;--> statement-breakpoint
-- Lets as many runs through the gate of a workflow, which is locked, as may be. Returns those that may be executed now.
CREATE FUNCTION open_gate(of_workflow uuid) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
BEGIN
	RETURN QUERY SELECT pass_workspace_gates('{}', ARRAY(SELECT open_workflow_gate(of_workflow)));
END $$;--> statement-breakpoint
DROP FUNCTION enter_lines(uuid[], uuid[], uuid[], boolean[]);--> statement-breakpoint
-- As in 0062, and runs that have their turn and are through the gate of their workflow enter that of their workspace, unless another run
-- calls them: its caller, which waits for it, has a place there.
CREATE FUNCTION enter_lines(entering uuid[], of_workflows uuid[], of_lines uuid[], passes boolean[], are_called boolean DEFAULT false)
RETURNS TABLE (run_id uuid, has_turn boolean) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
	gated uuid[];
	limited uuid[];
	run record;
	is_first boolean;
	is_counted boolean;
	is_through boolean;
BEGIN
	gated := ARRAY(
		SELECT id FROM workflows WHERE id = ANY (of_workflows) AND (max_concurrent_runs IS NOT NULL OR holds_runs)
	);
	limited := ARRAY(SELECT id FROM workspaces WHERE max_concurrent_runs IS NOT NULL AND NOT are_called);
	IF cardinality(limited) > 0 THEN
		limited := ARRAY(
			SELECT DISTINCT workspace_id FROM workflows WHERE id = ANY (of_workflows) AND workspace_id = ANY (limited)
		);
	END IF;
	IF cardinality(gated) = 0 AND cardinality(limited) = 0 AND NOT of_lines && of_workflows THEN
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
	IF cardinality(limited) > 0 THEN
		PERFORM lock_lines(limited);
	END IF;
	FOR run IN
		SELECT e.*, w.workspace_id
		FROM unnest(entering, of_workflows, of_lines, passes) WITH ORDINALITY AS e(run_id, workflow_id, line, passes, number)
		LEFT JOIN workflows AS w ON w.id = e.workflow_id
		ORDER BY e.number
	LOOP
		is_first := run.line = run.workflow_id
			OR NOT EXISTS (SELECT FROM run_lines AS l WHERE l.workflow_id = run.workflow_id AND l.line = run.line);
		is_counted := coalesce(run.workspace_id = ANY (limited), false)
			AND NOT EXISTS (SELECT FROM run_calls AS c WHERE c.run_id = run.run_id);
		-- One that would have to wait at the gate of its workspace has not ended: it takes its place at the other one.
		run.passes := run.passes AND (NOT is_counted OR has_room_in_workspace(run.workspace_id));
		is_through := is_first AND (
			NOT run.workflow_id = ANY (gated) OR enter_gate(run.run_id, run.workflow_id, run.passes)
		);
		IF is_through AND is_counted THEN
			is_through := enter_workspace_gate(run.run_id, run.workspace_id, run.passes);
		END IF;
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
-- As in 0062, for gates of workspaces as well.
CREATE OR REPLACE FUNCTION leave_lines(ended uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	left_workflows uuid[];
	left_lines uuid[];
	left_gates uuid[];
	next uuid[];
	passing uuid[];
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
		IF EXISTS (SELECT FROM workspace_gates WHERE run_id = ANY (ended)) THEN
			RETURN QUERY SELECT pass_workspace_gates(ended, '{}');
		END IF;
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
		passing := coalesce(next, '{}');
	ELSE
		DELETE FROM run_gates WHERE run_id = ANY (ended);
		passing := ARRAY(SELECT opened FROM unnest(left_gates) AS gate CROSS JOIN LATERAL open_workflow_gate(gate) AS opened);
		FOR run IN
			SELECT l.run_id, l.workflow_id FROM run_lines AS l WHERE l.run_id = ANY (next) ORDER BY l.run_id
		LOOP
			IF NOT run.workflow_id = ANY (left_gates) OR enter_gate(run.run_id, run.workflow_id, false) THEN
				passing := passing || run.run_id;
			END IF;
		END LOOP;
	END IF;
	RETURN QUERY SELECT pass_workspace_gates(ended, passing);
END $$;
