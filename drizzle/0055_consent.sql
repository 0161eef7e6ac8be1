CREATE TABLE "consent_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "consent_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"change_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"purpose" text NOT NULL,
	"state" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"evidence" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "consent_settings" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"stop_words" text[] NOT NULL,
	"resume_words" text[] NOT NULL,
	"purpose" text NOT NULL,
	"holds_on_echoes" boolean NOT NULL,
	"echo_hold_hours" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "customer_consents" (
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"purpose" text NOT NULL,
	"state" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"evidence" json NOT NULL,
	CONSTRAINT "customer_consents_workspace_id_name_purpose_pk" PRIMARY KEY("workspace_id","name","purpose"),
	CONSTRAINT "customer_consents_purpose" CHECK (purpose in ('marketing', 'all')),
	CONSTRAINT "customer_consents_state" CHECK (state in ('given', 'stopped'))
);
--> statement-breakpoint
CREATE TABLE "customer_holds" (
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone,
	"reason" text NOT NULL,
	"evidence" json NOT NULL,
	CONSTRAINT "customer_holds_workspace_id_name_pk" PRIMARY KEY("workspace_id","name")
);
--> statement-breakpoint
ALTER TABLE "consent_changes" ADD CONSTRAINT "consent_changes_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_settings" ADD CONSTRAINT "consent_settings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_consents" ADD CONSTRAINT "customer_consents_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_holds" ADD CONSTRAINT "customer_holds_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "consent_changes_name" ON "consent_changes" USING btree ("workspace_id","name","id");--> statement-breakpoint
CREATE INDEX "customer_holds_until" ON "customer_holds" USING btree ("until");