CREATE TABLE "break_glass_owners" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"added_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "group_access" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"default_role" text,
	CONSTRAINT "group_access_default_role" CHECK (default_role in ('owner', 'editor', 'viewer'))
);
--> statement-breakpoint
CREATE TABLE "group_roles" (
	"workspace_id" uuid NOT NULL,
	"group_name" text NOT NULL,
	"role" text NOT NULL,
	CONSTRAINT "group_roles_workspace_id_group_name_pk" PRIMARY KEY("workspace_id","group_name"),
	CONSTRAINT "group_roles_role" CHECK (role in ('owner', 'editor', 'viewer'))
);
--> statement-breakpoint
CREATE TABLE "sign_in_policy" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"requires_identity" boolean DEFAULT false NOT NULL,
	"access_contact" text DEFAULT '' NOT NULL,
	CONSTRAINT "sign_in_policy_one_row" CHECK (id = 1)
);
--> statement-breakpoint
ALTER TABLE "user_identities" ADD COLUMN "groups" text[];--> statement-breakpoint
ALTER TABLE "user_identities" ADD COLUMN "signed_in_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "break_glass_owners" ADD CONSTRAINT "break_glass_owners_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_access" ADD CONSTRAINT "group_access_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_roles" ADD CONSTRAINT "group_roles_workspace_id_group_access_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."group_access"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "group_roles_group" ON "group_roles" USING btree ("group_name");