CREATE TABLE "events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"outcome" text NOT NULL,
	"reason" text,
	"received_at" timestamp (3) with time zone NOT NULL,
	"headers" json NOT NULL,
	"body" "bytea",
	"run_id" uuid,
	"replay_of" uuid
);
--> statement-breakpoint
CREATE TABLE "processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"job_pool_id" text,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"heartbeat_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "run_claims" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"worker_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"event_id" uuid NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"epoch" integer DEFAULT 0 NOT NULL,
	"worker_id" uuid,
	"awaited" boolean DEFAULT false NOT NULL,
	"answer" json,
	"error" json,
	"retry_of" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"resume_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "task_runs" (
	"run_id" uuid NOT NULL,
	"task_id" integer NOT NULL,
	"iteration" text DEFAULT '' NOT NULL,
	"status" text NOT NULL,
	"branch" text,
	"run_text" text,
	"output" text,
	"error" json,
	"attempt" smallint DEFAULT 1 NOT NULL,
	"attempts" json,
	"state" text,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"resume_at" timestamp (3) with time zone,
	CONSTRAINT "task_runs_run_id_task_id_iteration_pk" PRIMARY KEY("run_id","task_id","iteration")
);
--> statement-breakpoint
CREATE TABLE "webhook_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"workflow_id" uuid NOT NULL,
	"token_encrypted" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "workflow_versions" (
	"workflow_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"name" text NOT NULL,
	"graph" json NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" text,
	CONSTRAINT "workflow_versions_workflow_id_version_pk" PRIMARY KEY("workflow_id","version")
);
--> statement-breakpoint
CREATE TABLE "workflows" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"draft" json NOT NULL,
	"draft_revision" integer DEFAULT 1 NOT NULL,
	"next_task_id" integer NOT NULL,
	"trigger_task_id" integer NOT NULL,
	"published_version" integer,
	"active" boolean DEFAULT false NOT NULL,
	"answers_after_run" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"prefix" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_key_hash_unique" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"webhook_rate_per_second" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhook_tokens" ADD CONSTRAINT "webhook_tokens_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "events_workflow" ON "events" USING btree ("workflow_id","id");--> statement-breakpoint
CREATE INDEX "events_not_triggered" ON "events" USING btree ("workspace_id","id") WHERE run_id is null;--> statement-breakpoint
CREATE INDEX "run_claims_worker" ON "run_claims" USING btree ("worker_id");--> statement-breakpoint
CREATE INDEX "runs_workflow" ON "runs" USING btree ("workflow_id","id");--> statement-breakpoint
CREATE INDEX "runs_failed" ON "runs" USING btree ("workspace_id","id") WHERE failed_at is not null;--> statement-breakpoint
CREATE INDEX "runs_waiting" ON "runs" USING btree ("resume_at") WHERE resume_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_tokens_workflow" ON "webhook_tokens" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "workflows_workspace" ON "workflows" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "api_keys_workspace" ON "api_keys" USING btree ("workspace_id");--> statement-breakpoint
ALTER TABLE "runs" SET (fillfactor = 70);--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_positive" CHECK ("version" > 0);--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_kind" CHECK ("kind" in ('production', 'test'));--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_outcome" CHECK ("outcome" in ('triggered', 'tested', 'not_active', 'rejected'));--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_status" CHECK ("status" in ('queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled'));
