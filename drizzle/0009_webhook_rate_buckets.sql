CREATE UNLOGGED TABLE "webhook_rate_buckets" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"available" double precision NOT NULL,
	"granted" integer NOT NULL,
	"refilled_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhook_rate_buckets" ADD CONSTRAINT "webhook_rate_buckets_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_webhook_rate_positive" CHECK (webhook_rate_per_second > 0);