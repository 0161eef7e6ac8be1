CREATE TABLE "draft_runs" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"options" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pinned_outputs" (
	"workflow_id" uuid NOT NULL,
	"task_id" integer NOT NULL,
	"output" text NOT NULL,
	"run_text" text NOT NULL,
	"branch" text,
	"pinned_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pinned_outputs_workflow_id_task_id_pk" PRIMARY KEY("workflow_id","task_id")
);
--> statement-breakpoint
CREATE TABLE "workflow_looks" (
	"user_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"looked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workflow_looks_user_id_workflow_id_pk" PRIMARY KEY("user_id","workflow_id")
);
--> statement-breakpoint
ALTER TABLE "pinned_outputs" ADD CONSTRAINT "pinned_outputs_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_looks" ADD CONSTRAINT "workflow_looks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_looks" ADD CONSTRAINT "workflow_looks_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "draft_runs_workflow" ON "draft_runs" USING btree ("workflow_id","run_id");--> statement-breakpoint
-- Below zero are drafts that were run; what is published stays positive.
ALTER TABLE "workflow_versions" DROP CONSTRAINT "workflow_versions_positive";--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_not_zero" CHECK ("version" <> 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_published_positive" CHECK ("published_version" > 0) NOT VALID;
