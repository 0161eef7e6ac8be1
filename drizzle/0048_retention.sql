CREATE TABLE "retention_leftovers" (
	"workspace_id" uuid NOT NULL,
	"part" text NOT NULL,
	"id" uuid NOT NULL,
	CONSTRAINT "retention_leftovers_workspace_id_part_id_pk" PRIMARY KEY("workspace_id","part","id")
);
--> statement-breakpoint
CREATE TABLE "retention_progress" (
	"workspace_id" uuid NOT NULL,
	"part" text NOT NULL,
	"position" uuid NOT NULL,
	"leftover_position" uuid NOT NULL,
	"done_through" timestamp (3) with time zone,
	"worked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "retention_progress_workspace_id_part_pk" PRIMARY KEY("workspace_id","part")
);
--> statement-breakpoint
CREATE TABLE "retention_settings" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"bodies_days" integer,
	"runs_days" integer,
	"messages_days" integer,
	"audit_days" integer,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "retention_settings_days" CHECK (bodies_days >= 1 and runs_days >= 1 and messages_days >= 1 and audit_days >= 1)
);
--> statement-breakpoint
ALTER TABLE "retention_leftovers" ADD CONSTRAINT "retention_leftovers_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "retention_progress" ADD CONSTRAINT "retention_progress_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "retention_settings" ADD CONSTRAINT "retention_settings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "body_removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "contents_removed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "runs_retries" ON "runs" USING btree ("event_id") WHERE retry_of is not null or version < 0;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "sent_messages_age" ON "sent_messages" USING btree ("workspace_id","created_at");