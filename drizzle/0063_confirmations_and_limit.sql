CREATE TABLE "consent_confirmations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"phone_number_id" text NOT NULL,
	"customer" text NOT NULL,
	"state" text NOT NULL,
	"text" text NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"reason" text,
	"sent_id" text,
	"window_closes_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "consent_confirmations_status" CHECK (status in ('queued', 'sending', 'sent', 'not_sent', 'unknown'))
);
--> statement-breakpoint
CREATE TABLE "marketing_places" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"taken_at" timestamp (3) with time zone NOT NULL,
	"message_id" text
);
--> statement-breakpoint
ALTER TABLE "consent_settings" ADD COLUMN "stop_confirmation" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "consent_settings" ADD COLUMN "resume_confirmation" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "consent_settings" ADD COLUMN "marketing_limit" integer;--> statement-breakpoint
ALTER TABLE "consent_settings" ADD COLUMN "marketing_limit_days" integer DEFAULT 7 NOT NULL;--> statement-breakpoint
ALTER TABLE "consent_confirmations" ADD CONSTRAINT "consent_confirmations_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "marketing_places" ADD CONSTRAINT "marketing_places_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "consent_confirmations_sent" ON "consent_confirmations" USING btree ("workspace_id","sent_id");--> statement-breakpoint
CREATE INDEX "consent_confirmations_unsent" ON "consent_confirmations" USING btree ("workspace_id","customer","created_at") WHERE sent_id is null;--> statement-breakpoint
CREATE INDEX "consent_confirmations_age" ON "consent_confirmations" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "marketing_places_name" ON "marketing_places" USING btree ("workspace_id","name","taken_at");--> statement-breakpoint
CREATE INDEX "marketing_places_age" ON "marketing_places" USING btree ("taken_at");