CREATE TABLE "undelivered_runs" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"message_id" text NOT NULL,
	"noted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"is_reported" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX "undelivered_runs_workspace" ON "undelivered_runs" USING btree ("workspace_id","run_id");--> statement-breakpoint
CREATE INDEX "undelivered_runs_workflow" ON "undelivered_runs" USING btree ("workflow_id","run_id");--> statement-breakpoint
CREATE INDEX "undelivered_runs_new" ON "undelivered_runs" USING btree ("workflow_id","run_id") WHERE not is_reported;