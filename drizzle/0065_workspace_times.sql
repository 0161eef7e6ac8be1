CREATE TABLE "workspace_times" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"zone" text NOT NULL,
	"hours" json NOT NULL,
	"holidays" json NOT NULL,
	"quiet_hours" json
);
--> statement-breakpoint
ALTER TABLE "workspace_times" ADD CONSTRAINT "workspace_times_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;