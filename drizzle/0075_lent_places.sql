ALTER TABLE "run_calls" ADD COLUMN "lender_run_id" uuid;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "run_calls_lender" ON "run_calls" USING btree ("lender_run_id") WHERE lender_run_id is not null;--> statement-breakpoint
-- As in 0074, without the places that runs have lent. OFFSET 0: look up each of them, whatever the statistics are.
CREATE OR REPLACE FUNCTION has_room_in_workspace(of_workspace uuid) RETURNS boolean
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	width integer := (SELECT max_concurrent_runs FROM workspaces WHERE id = of_workspace);
BEGIN
	RETURN width IS NULL OR (
		SELECT count(*) FROM (
			SELECT FROM workspace_gates AS g
			WHERE workspace_id = of_workspace AND NOT EXISTS (SELECT FROM run_calls AS c WHERE c.lender_run_id = g.run_id OFFSET 0)
			ORDER BY place LIMIT width
		) AS first
	) < width;
END $$;--> statement-breakpoint
-- As in 0074, beside the places that runs have lent.
CREATE OR REPLACE FUNCTION open_workspace_gate(of_workspace uuid) RETURNS SETOF uuid
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	width integer := (SELECT max_concurrent_runs FROM workspaces WHERE id = of_workspace);
BEGIN
	RETURN QUERY
	WITH opened AS (
		UPDATE workspace_gates AS g SET is_through = true
		FROM (
			SELECT place, is_through FROM workspace_gates AS l
			WHERE workspace_id = of_workspace AND NOT EXISTS (SELECT FROM run_calls AS c WHERE c.lender_run_id = l.run_id OFFSET 0)
			ORDER BY place LIMIT width
		) AS first
		WHERE g.workspace_id = of_workspace AND g.place = first.place AND NOT first.is_through
		RETURNING g.run_id, g.place
	)
	SELECT run_id FROM opened ORDER BY place;
END $$;--> statement-breakpoint
-- As in 0074, and called runs that have their turn, or have ended, return the place that was lent because of them.
CREATE OR REPLACE FUNCTION pass_workspace_gates(ended uuid[], passing uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	left_gates uuid[];
	limited uuid[];
	returned uuid[];
	run record;
BEGIN
	left_gates := ARRAY(SELECT DISTINCT workspace_id FROM workspace_gates WHERE run_id = ANY (ended));
	limited := ARRAY(SELECT id FROM workspaces WHERE max_concurrent_runs IS NOT NULL);
	IF cardinality(limited) > 0 AND cardinality(passing) > 0 THEN
		limited := ARRAY(SELECT DISTINCT workspace_id FROM runs WHERE id = ANY (passing) AND workspace_id = ANY (limited));
	ELSE
		limited := '{}';
	END IF;
	returned := ARRAY(SELECT workspace_id FROM run_calls WHERE run_id = ANY (ended || passing) AND lender_run_id IS NOT NULL);
	IF cardinality(left_gates) = 0 AND cardinality(limited) = 0 AND cardinality(returned) = 0 THEN
		RETURN QUERY SELECT unnest(passing);
		RETURN;
	END IF;
	PERFORM lock_lines(left_gates || limited || returned);
	IF cardinality(returned) > 0 THEN
		UPDATE run_calls SET lender_run_id = NULL WHERE run_id = ANY (ended || passing) AND lender_run_id IS NOT NULL;
	END IF;
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
-- A run that another one calls, and waits for, may have to wait for its turn. What is before it may wait at the gate of the workspace, where
-- the run at the top of its callers has a place and only waits: that one lends its place until the called run has its turn or ends. Returns the runs
-- that may be executed now. Locks the line and the gate of the called run, then the gate of the workspace.
CREATE FUNCTION lend_place(waiting uuid) RETURNS SETOF uuid
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
	lender uuid := waiting;
	of_workspace uuid;
BEGIN
	LOOP
		SELECT caller_run_id INTO lender FROM run_calls WHERE run_id = lender AND is_awaited;
		EXIT WHEN NOT FOUND;
		SELECT workspace_id INTO of_workspace FROM workspace_gates WHERE run_id = lender;
		EXIT WHEN FOUND;
	END LOOP;
	IF of_workspace IS NULL THEN
		RETURN;
	END IF;
	PERFORM lock_lines((SELECT ARRAY[line, workflow_id] FROM runs WHERE id = waiting));
	PERFORM lock_lines(ARRAY[of_workspace]);
	UPDATE run_calls SET lender_run_id = lender WHERE run_id = waiting AND (
		EXISTS (SELECT FROM run_lines WHERE run_id = waiting AND NOT has_turn)
		OR EXISTS (SELECT FROM run_gates WHERE run_id = waiting AND NOT is_through)
	);
	IF FOUND THEN
		RETURN QUERY SELECT open_workspace_gate(of_workspace);
	END IF;
END $$;
