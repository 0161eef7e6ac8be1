-- Adds a job without a key to the queue, and announces it where the priority is that of runs (lib/core/queue/job-table.ts). Returns its id.
-- graphile_worker.add_job handles keys, queues and new kinds of jobs in five statements, which cost as much as storing a webhook.
CREATE FUNCTION queue_job(task text, content json, due_at timestamptz DEFAULT NULL, in_lane integer DEFAULT 0) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
	added bigint;
BEGIN
	INSERT INTO graphile_worker._private_jobs (task_id, payload, run_at, priority)
	SELECT known.id, content, coalesce(due_at, now()), in_lane FROM graphile_worker._private_tasks AS known WHERE known.identifier = task
	RETURNING id INTO added;
	IF added IS NULL THEN
		RETURN (graphile_worker.add_job(task, content, run_at := due_at, priority := in_lane)).id;
	END IF;
	IF in_lane = 0 THEN
		PERFORM pg_notify('jobs:insert', '');
	END IF;
	RETURN added;
END $$;
