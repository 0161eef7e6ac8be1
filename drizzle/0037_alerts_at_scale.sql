CREATE TABLE "alert_recipients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"window_started_at" timestamp (3) with time zone NOT NULL,
	"direct_count" integer NOT NULL,
	"digest_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "alert_deliveries" ADD COLUMN "gathered_for" uuid;--> statement-breakpoint
ALTER TABLE "alert_deliveries" ADD COLUMN "digest_delivery_id" uuid;--> statement-breakpoint
ALTER TABLE "alert_recipients" ADD CONSTRAINT "alert_recipients_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alert_recipients_key" ON "alert_recipients" USING btree ("workspace_id","kind","recipient");--> statement-breakpoint
CREATE INDEX "alert_recipients_digest" ON "alert_recipients" USING btree ("digest_at") WHERE digest_at is not null;--> statement-breakpoint
CREATE INDEX "alert_deliveries_gathered" ON "alert_deliveries" USING btree ("gathered_for","id") WHERE gathered_for is not null;--> statement-breakpoint
CREATE INDEX "alert_states_told" ON "alert_states" USING btree ("matter") WHERE told_of is not null;