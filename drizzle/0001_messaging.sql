CREATE TABLE "connection_logins" (
	"id" uuid PRIMARY KEY NOT NULL,
	"state_hash" "bytea",
	"workspace_id" uuid NOT NULL,
	"user_id" text NOT NULL,
	"connection_id" uuid,
	"secrets_encrypted" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "connection_logins_state_hash_unique" UNIQUE("state_hash")
);
--> statement-breakpoint
CREATE TABLE "connection_subscriptions" (
	"connection_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"kinds" text[] NOT NULL,
	"phone_number_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "connection_subscriptions_connection_id_workflow_id_pk" PRIMARY KEY("connection_id","workflow_id")
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"business_account_id" text,
	"business_account_name" text,
	"status" text DEFAULT 'connected' NOT NULL,
	"status_reason" text,
	"scopes" text[] NOT NULL,
	"access_token_encrypted" text NOT NULL,
	"refresh_token_encrypted" text,
	"token_revision" integer DEFAULT 1 NOT NULL,
	"token_issued_at" timestamp (3) with time zone NOT NULL,
	"token_expires_at" timestamp (3) with time zone,
	"refresh_expires_at" timestamp (3) with time zone,
	"refresh_lease_id" uuid,
	"refresh_lease_until" timestamp (3) with time zone,
	"last_refresh_error" text,
	"receiver_token_hash" "bytea" NOT NULL,
	"receiver_token_encrypted" text NOT NULL,
	"last_notification_at" timestamp (3) with time zone,
	"created_by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "connections_receiver_token_hash_unique" UNIQUE("receiver_token_hash"),
	CONSTRAINT "connections_status" CHECK (status in ('connected', 'needs_reconnecting'))
);
--> statement-breakpoint
CREATE TABLE "conversation_windows" (
	"workspace_id" uuid NOT NULL,
	"phone_number_id" text NOT NULL,
	"customer" text NOT NULL,
	"last_message_at" timestamp (3) with time zone NOT NULL,
	"last_message_id" text NOT NULL,
	CONSTRAINT "conversation_windows_workspace_id_phone_number_id_customer_pk" PRIMARY KEY("workspace_id","phone_number_id","customer")
);
--> statement-breakpoint
CREATE TABLE "received_changes" (
	"connection_id" uuid NOT NULL,
	"change_key" text NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "received_changes_connection_id_change_key_pk" PRIMARY KEY("connection_id","change_key")
);
--> statement-breakpoint
CREATE TABLE "send_rates" (
	"rate_key" text PRIMARY KEY NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "send_turns" (
	"turn_key" text PRIMARY KEY NOT NULL,
	"turn_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sent_messages" (
	"workspace_id" uuid NOT NULL,
	"message_id" text NOT NULL,
	"connection_id" uuid NOT NULL,
	"phone_number_id" text NOT NULL,
	"recipient" text NOT NULL,
	"kind" text,
	"template_name" text,
	"run_id" uuid,
	"task_id" integer,
	"iteration" text,
	"status" text NOT NULL,
	"status_at" timestamp (3) with time zone NOT NULL,
	"errors" json,
	"timeline" json NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sent_messages_workspace_id_message_id_pk" PRIMARY KEY("workspace_id","message_id")
);
--> statement-breakpoint
ALTER TABLE "connection_logins" ADD CONSTRAINT "connection_logins_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_logins" ADD CONSTRAINT "connection_logins_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_subscriptions" ADD CONSTRAINT "connection_subscriptions_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_subscriptions" ADD CONSTRAINT "connection_subscriptions_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "connection_logins_expires" ON "connection_logins" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "connection_subscriptions_workflow" ON "connection_subscriptions" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "connections_workspace" ON "connections" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "connections_business_account" ON "connections" USING btree ("workspace_id","business_account_id") WHERE business_account_id is not null;--> statement-breakpoint
CREATE INDEX "received_changes_age" ON "received_changes" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "sent_messages_run" ON "sent_messages" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "sent_messages_recipient" ON "sent_messages" USING btree ("workspace_id","recipient");