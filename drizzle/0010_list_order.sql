-- A stored column writes runs anew, and indexes are built while events and runs are locked: nothing is received meanwhile.
DROP INDEX "events_not_triggered";--> statement-breakpoint
DROP INDEX "events_without_workflow";--> statement-breakpoint
DROP INDEX "runs_failed";--> statement-breakpoint
DROP INDEX "runs_waiting";--> statement-breakpoint
DROP INDEX "api_keys_workspace";--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "rare_status" text GENERATED ALWAYS AS (case when status in ('waiting', 'failed', 'cancelled') then status end) STORED;--> statement-breakpoint
CREATE INDEX "events_workspace" ON "events" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "events_workspace_rare" ON "events" USING btree ("workspace_id","outcome","id") WHERE outcome <> 'triggered';--> statement-breakpoint
CREATE INDEX "events_workflow_rare" ON "events" USING btree ("workflow_id","outcome","id") WHERE outcome <> 'triggered';--> statement-breakpoint
CREATE INDEX "runs_workspace" ON "runs" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "runs_workspace_rare" ON "runs" USING btree ("workspace_id","rare_status","id") WHERE rare_status is not null;--> statement-breakpoint
CREATE INDEX "runs_workflow_rare" ON "runs" USING btree ("workflow_id","rare_status","id") WHERE rare_status is not null;--> statement-breakpoint
CREATE INDEX "api_keys_workspace" ON "api_keys" USING btree ("workspace_id","id");--> statement-breakpoint
ALTER TABLE "runs" DROP COLUMN "failed_at";