CREATE TABLE "erased_names" (
	"workspace_id" uuid NOT NULL,
	"name_hash" "bytea" NOT NULL,
	"erasure_id" uuid NOT NULL,
	"erased_at" timestamp (3) with time zone NOT NULL,
	"stopped" text,
	CONSTRAINT "erased_names_workspace_id_name_hash_pk" PRIMARY KEY("workspace_id","name_hash"),
	CONSTRAINT "erased_names_stopped" CHECK (stopped in ('marketing', 'all'))
);
--> statement-breakpoint
CREATE TABLE "erasure_keys" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"key_encrypted" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "erasures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"actor_id" text NOT NULL,
	"actor_name" text NOT NULL,
	"counts" json NOT NULL,
	"subject_encrypted" text,
	"step" integer DEFAULT 0 NOT NULL,
	"position" text DEFAULT '' NOT NULL,
	"waits_for" uuid[] DEFAULT '{}' NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "erased_names" ADD CONSTRAINT "erased_names_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "erasure_keys" ADD CONSTRAINT "erasure_keys_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "erasures_workspace" ON "erasures" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "erasures_unfinished" ON "erasures" USING btree ("id") WHERE finished_at is null;