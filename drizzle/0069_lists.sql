CREATE TABLE "send_list_rows" (
	"list_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"data" json NOT NULL,
	"recipient" text,
	"state" text NOT NULL,
	"skipped" text,
	"run_id" uuid,
	CONSTRAINT "send_list_rows_list_id_line_pk" PRIMARY KEY("list_id","line")
);
--> statement-breakpoint
CREATE TABLE "send_lists" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"name" text NOT NULL,
	"content_hash" "bytea",
	"columns" json NOT NULL,
	"mapping" json NOT NULL,
	"state" text NOT NULL,
	"problem" text,
	"row_count" integer NOT NULL,
	"checked_line" integer DEFAULT 0 NOT NULL,
	"starts_checked" boolean DEFAULT false NOT NULL,
	"phone_number_id" text,
	"connection_id" text,
	"paced_at" timestamp (3) with time zone,
	"settled_line" integer DEFAULT 0 NOT NULL,
	"work_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "send_list_rows" ADD CONSTRAINT "send_list_rows_list_id_send_lists_id_fk" FOREIGN KEY ("list_id") REFERENCES "public"."send_lists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send_lists" ADD CONSTRAINT "send_lists_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send_lists" ADD CONSTRAINT "send_lists_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "send_list_rows_state" ON "send_list_rows" USING btree ("list_id","state","line");--> statement-breakpoint
CREATE INDEX "send_list_rows_recipient" ON "send_list_rows" USING btree ("list_id","recipient");--> statement-breakpoint
CREATE INDEX "send_lists_workflow" ON "send_lists" USING btree ("workflow_id","id");--> statement-breakpoint
CREATE INDEX "send_lists_workspace" ON "send_lists" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "send_lists_content" ON "send_lists" USING btree ("workflow_id","content_hash");--> statement-breakpoint
CREATE INDEX "send_lists_work" ON "send_lists" USING btree ("work_at") WHERE work_at is not null;