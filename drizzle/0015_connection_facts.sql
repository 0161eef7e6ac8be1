CREATE TABLE "connection_facts" (
	"connection_id" uuid PRIMARY KEY NOT NULL,
	"accounts" json NOT NULL
);
--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "check_problem" text;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "check_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "connection_facts" ADD CONSTRAINT "connection_facts_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("id") ON DELETE cascade ON UPDATE no action;