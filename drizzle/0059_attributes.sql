CREATE TABLE "attribute_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "attribute_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"attribute" text NOT NULL,
	"type" text NOT NULL,
	"value" text,
	"at" timestamp (3) with time zone NOT NULL,
	"evidence" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "customer_attributes" (
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"attribute" text NOT NULL,
	"type" text NOT NULL,
	"value" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"evidence" json NOT NULL,
	CONSTRAINT "customer_attributes_workspace_id_name_attribute_pk" PRIMARY KEY("workspace_id","name","attribute"),
	CONSTRAINT "customer_attributes_type" CHECK (type in ('text', 'number', 'date', 'yes_no'))
);
--> statement-breakpoint
CREATE TABLE "joined_customers" (
	"workspace_id" uuid NOT NULL,
	"customer_id" uuid PRIMARY KEY NOT NULL,
	"joined_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "received_words" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"words" text[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "attribute_changes" ADD CONSTRAINT "attribute_changes_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customer_attributes" ADD CONSTRAINT "customer_attributes_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attribute_changes_name" ON "attribute_changes" USING btree ("workspace_id","name","at");--> statement-breakpoint
CREATE INDEX "attribute_changes_age" ON "attribute_changes" USING btree ("workspace_id","at");--> statement-breakpoint
CREATE INDEX "joined_customers_joined" ON "joined_customers" USING btree ("joined_id");--> statement-breakpoint
CREATE INDEX "received_words_words" ON "received_words" USING gin ("words");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "received_messages_run" ON "received_messages" USING btree ("run_id") WHERE run_id is not null;