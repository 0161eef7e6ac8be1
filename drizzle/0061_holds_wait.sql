ALTER TABLE "consent_settings" ADD COLUMN "hold_sends" text DEFAULT 'suppress' NOT NULL;--> statement-breakpoint
ALTER TABLE "consent_settings" ADD COLUMN "hold_deadlines" text DEFAULT 'run' NOT NULL;--> statement-breakpoint
ALTER TABLE "customer_holds" ADD COLUMN "sends" text DEFAULT 'suppress' NOT NULL;--> statement-breakpoint
ALTER TABLE "customer_holds" ADD COLUMN "deadlines" text DEFAULT 'run' NOT NULL;--> statement-breakpoint
ALTER TABLE "customer_holds" ADD COLUMN "pauses" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "signal_waits_holds" ON "signal_waits" USING btree ("workspace_id","key") WHERE key like 'customer:hold:%';