CREATE TABLE "received_messages" (
	"workspace_id" uuid NOT NULL,
	"message_id" text NOT NULL,
	"event_id" uuid NOT NULL,
	"customer" text NOT NULL,
	"phone_number_id" text NOT NULL,
	"type" text NOT NULL,
	"run_id" uuid,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "received_messages_workspace_id_message_id_event_id_pk" PRIMARY KEY("workspace_id","message_id","event_id")
);
--> statement-breakpoint
ALTER TABLE "customer_names" ADD COLUMN "profile_name" text;--> statement-breakpoint
CREATE INDEX "received_messages_customer" ON "received_messages" USING btree ("workspace_id","customer","received_at");--> statement-breakpoint
CREATE INDEX "received_messages_customer_runs" ON "received_messages" USING btree ("workspace_id","customer","run_id") WHERE run_id is not null;--> statement-breakpoint
CREATE INDEX "received_messages_age" ON "received_messages" USING btree ("workspace_id","received_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "customer_names_newest" ON "customer_names" USING btree ("workspace_id","seen_at","customer_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "customer_names_end" ON "customer_names" USING btree ("workspace_id","right"(name, 4),"name");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "customer_names_profile" ON "customer_names" USING btree ("workspace_id",lower(profile_name) text_pattern_ops) WHERE profile_name is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "sent_messages_customer" ON "sent_messages" USING btree ("workspace_id","recipient","created_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "sent_messages_customer_runs" ON "sent_messages" USING btree ("workspace_id","recipient","run_id") WHERE run_id is not null;