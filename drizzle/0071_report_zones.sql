ALTER TABLE "message_days" ADD COLUMN "day_shift" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "message_days" DROP CONSTRAINT "message_days_key";
--> statement-breakpoint
ALTER TABLE "message_days" ADD CONSTRAINT "message_days_key" PRIMARY KEY("workspace_id","day","is_frozen","day_shift","phone_number_id","kind","template_name","workflow_id");