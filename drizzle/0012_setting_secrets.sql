CREATE TABLE "setting_secrets" (
	"workspace_id" uuid NOT NULL,
	"id" text NOT NULL,
	"value_encrypted" text NOT NULL,
	"used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "setting_secrets_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD COLUMN "sealed_by" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "sealed_by" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "setting_secrets" ADD CONSTRAINT "setting_secrets_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "setting_secrets_used" ON "setting_secrets" USING btree ("used_at");