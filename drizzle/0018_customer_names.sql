CREATE TABLE "customer_names" (
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"customer_id" uuid NOT NULL,
	"business_account_id" text NOT NULL,
	"learned_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "customer_names_workspace_id_name_pk" PRIMARY KEY("workspace_id","name")
);
--> statement-breakpoint
ALTER TABLE "connection_subscriptions" ADD COLUMN "message_kinds" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "connection_subscriptions" ADD COLUMN "words" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "customer_names_customer" ON "customer_names" USING btree ("customer_id");--> statement-breakpoint
-- Wider than before: every row passes, so none is read while the table is locked.
ALTER TABLE "events" DROP CONSTRAINT "events_outcome";--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_outcome" CHECK ("outcome" in ('triggered', 'tested', 'not_active', 'response_failed', 'not_forwarded', 'recorded', 'ignored', 'rejected')) NOT VALID;
