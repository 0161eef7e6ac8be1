CREATE TABLE "webhook_keys" (
	"workflow_id" uuid NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"body_hash" "bytea" NOT NULL,
	"event_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"answer" json,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_keys_workflow_id_key_hash_pk" PRIMARY KEY("workflow_id","key_hash")
);
--> statement-breakpoint
CREATE INDEX "webhook_keys_age" ON "webhook_keys" USING btree ("received_at");--> statement-breakpoint
-- One statement that reads no rows: the old constraint held for all of them, and the new one allows more.
ALTER TABLE "events" ADD COLUMN "duplicate_of" uuid, DROP CONSTRAINT "events_outcome",
	ADD CONSTRAINT "events_outcome" CHECK ("outcome" in ('triggered', 'tested', 'duplicate', 'not_active', 'response_failed', 'not_forwarded', 'recorded', 'ignored', 'rejected')) NOT VALID;
