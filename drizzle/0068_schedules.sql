CREATE TABLE "schedules" (
	"workflow_id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"cron" text NOT NULL,
	"zone" text,
	"when_missed" text NOT NULL,
	"next_at" timestamp (3) with time zone,
	CONSTRAINT "schedules_when_missed" CHECK ("schedules"."when_missed" in ('once', 'skip'))
);
--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "schedules_due" ON "schedules" USING btree ("next_at") WHERE "schedules"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "schedules_workspace" ON "schedules" USING btree ("workspace_id");