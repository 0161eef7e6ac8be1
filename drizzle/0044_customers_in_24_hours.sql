CREATE TABLE "business_initiated_messages" (
	"workspace_id" uuid NOT NULL,
	"message_id" text NOT NULL,
	"phone_number_id" text NOT NULL,
	"recipient" text NOT NULL,
	"sent_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "business_initiated_messages_workspace_id_message_id_pk" PRIMARY KEY("workspace_id","message_id")
);
--> statement-breakpoint
CREATE INDEX "business_initiated_messages_number" ON "business_initiated_messages" USING btree ("workspace_id","phone_number_id","sent_at");