CREATE TABLE "burst_events" (
	"run_id" uuid NOT NULL,
	"place" integer NOT NULL,
	"event_id" uuid NOT NULL,
	CONSTRAINT "burst_events_run_id_place_pk" PRIMARY KEY("run_id","place")
);
--> statement-breakpoint
CREATE TABLE "webhook_bursts" (
	"workflow_id" uuid NOT NULL,
	"key" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"webhooks" integer NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "webhook_bursts_workflow_id_key_pk" PRIMARY KEY("workflow_id","key")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_bursts_run" ON "webhook_bursts" USING btree ("run_id");--> statement-breakpoint
-- Adds webhooks to the bursts of their keys, in the order given. Bursts are locked like lines, and before them. Returns the run of each, and when
-- that starts where a job is needed for it: of the first webhook of a burst, and of the one that fills it. A burst ends with its time, with its
-- 100th webhook or 4 MB of bodies, or with a webhook for another version; then the next one opens another. It waits for quiet ten times
-- as long as the quiet lasts.
CREATE FUNCTION collect_webhooks(
	of_events uuid[], of_runs uuid[], of_workflows uuid[], of_versions integer[], of_bursts uuid[], of_quiets integer[], of_sizes integer[]
) RETURNS TABLE (event_id uuid, run_id uuid, starts_at timestamptz)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
	webhook record;
	burst webhook_bursts%ROWTYPE;
	moment timestamptz;
	quiet interval;
	is_new boolean;
	is_full boolean;
BEGIN
	PERFORM lock_lines(of_bursts);
	moment := date_trunc('milliseconds', clock_timestamp());
	FOR webhook IN
		SELECT * FROM unnest(of_events, of_runs, of_workflows, of_versions, of_bursts, of_quiets, of_sizes)
			WITH ORDINALITY AS w(event_id, run_id, workflow_id, version, key, quiet_ms, bytes, number)
		ORDER BY w.number
	LOOP
		quiet := webhook.quiet_ms * interval '1 millisecond';
		SELECT * INTO burst FROM webhook_bursts AS b WHERE b.workflow_id = webhook.workflow_id AND b.key = webhook.key;
		is_new := NOT FOUND OR burst.due_at <= moment OR burst.version <> webhook.version;
		IF is_new THEN
			burst.run_id := webhook.run_id;
			burst.opened_at := moment;
			burst.webhooks := 0;
			burst.bytes := 0;
		END IF;
		burst.webhooks := burst.webhooks + 1;
		burst.bytes := burst.bytes + webhook.bytes;
		is_full := burst.webhooks >= 100 OR burst.bytes >= 4 * 1024 * 1024;
		burst.due_at := CASE WHEN is_full THEN moment ELSE least(moment + quiet, burst.opened_at + 10 * quiet) END;
		INSERT INTO webhook_bursts (workflow_id, key, run_id, version, opened_at, due_at, webhooks, bytes)
		VALUES (
			webhook.workflow_id, webhook.key, burst.run_id, webhook.version, burst.opened_at, burst.due_at, burst.webhooks, burst.bytes
		)
		ON CONFLICT (workflow_id, key) DO UPDATE SET run_id = excluded.run_id, version = excluded.version,
			opened_at = excluded.opened_at, due_at = excluded.due_at, webhooks = excluded.webhooks, bytes = excluded.bytes;
		INSERT INTO burst_events (run_id, place, event_id) VALUES (burst.run_id, burst.webhooks, webhook.event_id);
		RETURN QUERY SELECT webhook.event_id, burst.run_id, CASE WHEN is_new OR is_full THEN burst.due_at END;
	END LOOP;
END $$;--> statement-breakpoint
-- Ends the wait of a burst whose run is cancelled: the next webhook opens another.
CREATE FUNCTION leave_burst(of_run uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM lock_lines(ARRAY(SELECT key FROM webhook_bursts WHERE run_id = of_run));
	DELETE FROM webhook_bursts WHERE run_id = of_run;
END $$;--> statement-breakpoint
-- Starts the run of a burst that is due, with its last webhook; the run is locked before the burst. It enters its line and its gate then,
-- and may be executed where it has its turn. Returns when a burst is due that waits for longer. A burst that another one replaced does not wait.
-- Nothing is returned for a run that has started or ended before.
CREATE FUNCTION start_burst(of_run uuid) RETURNS TABLE (due_at timestamptz, has_turn boolean)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
	run record;
	burst_key uuid;
	later timestamptz;
BEGIN
	SELECT r.workflow_id, r.line INTO run FROM runs AS r WHERE r.id = of_run AND r.status = 'queued' FOR UPDATE;
	IF NOT FOUND OR EXISTS (SELECT FROM run_lines AS l WHERE l.run_id = of_run) THEN
		RETURN;
	END IF;
	SELECT b.key INTO burst_key FROM webhook_bursts AS b WHERE b.run_id = of_run;
	IF FOUND THEN
		PERFORM lock_lines(ARRAY[burst_key]);
		SELECT b.due_at INTO later FROM webhook_bursts AS b WHERE b.run_id = of_run AND b.due_at > clock_timestamp();
		IF FOUND THEN
			RETURN QUERY SELECT later, false;
			RETURN;
		END IF;
		DELETE FROM webhook_bursts AS b WHERE b.run_id = of_run;
	END IF;
	UPDATE runs SET event_id = last.event_id
	FROM (SELECT e.event_id FROM burst_events AS e WHERE e.run_id = of_run ORDER BY e.place DESC LIMIT 1) AS last
	WHERE id = of_run;
	RETURN QUERY SELECT NULL::timestamptz, e.has_turn
	FROM enter_lines(ARRAY[of_run], ARRAY[run.workflow_id], ARRAY[run.line], ARRAY[false]) AS e;
END $$;
--> statement-breakpoint
-- Not validated: every older row has one of the outcomes that the constraint before it allowed.
ALTER TABLE "events" DROP CONSTRAINT "events_outcome";--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_outcome" CHECK ("outcome" in ('triggered', 'collected', 'tested', 'duplicate', 'not_active', 'response_failed', 'not_forwarded', 'recorded', 'ignored', 'rejected')) NOT VALID;
