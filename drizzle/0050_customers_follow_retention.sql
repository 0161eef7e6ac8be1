ALTER TABLE "customer_names" ADD COLUMN "seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "conversation_windows_age" ON "conversation_windows" USING btree ("workspace_id","last_message_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "customer_names_age" ON "customer_names" USING btree ("workspace_id","seen_at");