CREATE TABLE "counted_hours" (
	"workspace_id" uuid NOT NULL,
	"day" date NOT NULL,
	"hour" smallint NOT NULL,
	"groups" json NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "counted_hours_workspace_id_day_hour_pk" PRIMARY KEY("workspace_id","day","hour")
);
--> statement-breakpoint
CREATE TABLE "message_prices" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"currency" text NOT NULL,
	"prices" json NOT NULL
);
--> statement-breakpoint
ALTER TABLE "message_days" ADD COLUMN "answered" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "message_days" ADD COLUMN "answer_times" json DEFAULT '{}'::json NOT NULL;--> statement-breakpoint
ALTER TABLE "message_prices" ADD CONSTRAINT "message_prices_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sent_messages" ADD COLUMN "answered_at" timestamp (3) with time zone;