ALTER TABLE "processes" ADD COLUMN "last_job_at" timestamp (3) with time zone;--> statement-breakpoint
-- Until now a task run was only written as running right before it changed something outside; now that says `state`.
UPDATE "task_runs" SET "state" = '{"in_flight":true}' WHERE "status" = 'running' AND "state" IS NULL;
