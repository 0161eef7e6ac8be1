ALTER TABLE "events" ALTER COLUMN "workflow_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "refused_notifications" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "last_refused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "connection_id" uuid;--> statement-breakpoint
CREATE INDEX "events_without_workflow" ON "events" USING btree ("workspace_id","id") WHERE workflow_id is null;--> statement-breakpoint
-- Wider than before: every row passes, so none is read while the table is locked.
ALTER TABLE "events" DROP CONSTRAINT "events_kind";--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_kind" CHECK ("kind" in ('production', 'test', 'notification')) NOT VALID;--> statement-breakpoint
ALTER TABLE "events" DROP CONSTRAINT "events_outcome";--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_outcome" CHECK ("outcome" in ('triggered', 'tested', 'not_active', 'response_failed', 'not_forwarded', 'rejected')) NOT VALID;
