CREATE TABLE "counted_days" (
	"workspace_id" uuid NOT NULL,
	"day" date NOT NULL,
	"counted_at" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone,
	"frozen_before" timestamp (3) with time zone,
	CONSTRAINT "counted_days_workspace_id_day_pk" PRIMARY KEY("workspace_id","day")
);
--> statement-breakpoint
CREATE TABLE "message_counting" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"searched_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message_days" (
	"workspace_id" uuid NOT NULL,
	"day" date NOT NULL,
	"is_frozen" boolean NOT NULL,
	"phone_number_id" text NOT NULL,
	"kind" text NOT NULL,
	"template_name" text NOT NULL,
	"workflow_id" uuid NOT NULL,
	"accepted" integer NOT NULL,
	"sent" integer NOT NULL,
	"delivered" integer NOT NULL,
	"read" integer NOT NULL,
	"failed" integer NOT NULL,
	"failures" json NOT NULL,
	"categories" json NOT NULL,
	CONSTRAINT "message_days_key" PRIMARY KEY("workspace_id","day","is_frozen","phone_number_id","kind","template_name","workflow_id")
);
--> statement-breakpoint
CREATE INDEX "counted_days_due" ON "counted_days" USING btree ("next_at") WHERE next_at is not null;--> statement-breakpoint
ALTER TABLE "sent_messages" ADD COLUMN "workflow_id" uuid;