-- The tables of 0.2.0, which its own migrations made step by step. What drizzle-kit does not know is at the end, and the rates of limited
-- workspaces are unlogged.
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"content_encrypted" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"give_up_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"problem" text
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor_id" text,
	"actor_name" text NOT NULL,
	"action" text NOT NULL,
	"target_id" text,
	"target_name" text
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"mailed_token_hash" "bytea",
	"email" text,
	"note" text NOT NULL,
	"role" text NOT NULL,
	"created_by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"accepted_by" uuid,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "invitations_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "invitations_role" CHECK (role in ('owner', 'editor', 'viewer'))
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memberships_workspace_id_user_id_pk" PRIMARY KEY("workspace_id","user_id"),
	CONSTRAINT "memberships_role" CHECK (role in ('owner', 'editor', 'viewer'))
);
--> statement-breakpoint
CREATE TABLE "password_resets" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "user_identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" uuid NOT NULL,
	"groups" text[],
	"signed_in_at" timestamp (3) with time zone,
	"is_address_unproven" boolean DEFAULT false NOT NULL,
	CONSTRAINT "user_identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "user_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"signed_in_by" text,
	"passkey_id" uuid,
	"user_agent" text,
	"address" text,
	"last_seen_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"is_address_unproven" boolean DEFAULT false NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"credential_id" "bytea" NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"rp_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "used_passkey_challenges" (
	"challenge_hash" "bytea" PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
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
	"trusted_issuer" text,
	CONSTRAINT "sign_in_policy_one_row" CHECK (id = 1)
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL,
	CONSTRAINT "recovery_codes_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "sign_in_challenges" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "two_factor" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"secret_encrypted" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_step" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"made_with_hash" "bytea",
	"made_with_key_id" uuid,
	"prefix" text NOT NULL,
	"scope" text DEFAULT 'edit' NOT NULL,
	"created_by" uuid,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_key_hash_unique" UNIQUE("key_hash"),
	CONSTRAINT "api_keys_scope" CHECK (scope in ('read', 'run', 'edit', 'admin'))
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "webhook_rate_buckets" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"available" double precision NOT NULL,
	"granted" integer NOT NULL,
	"refilled_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"webhook_rate_per_second" integer,
	"masks_numbers" boolean DEFAULT true NOT NULL,
	"two_factor_required_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workspaces_webhook_rate_positive" CHECK (webhook_rate_per_second > 0)
);
--> statement-breakpoint
CREATE TABLE "draft_runs" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"options" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pinned_outputs" (
	"workflow_id" uuid NOT NULL,
	"task_id" integer NOT NULL,
	"output" text NOT NULL,
	"run_text" text NOT NULL,
	"branch" text,
	"pinned_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pinned_outputs_workflow_id_task_id_pk" PRIMARY KEY("workflow_id","task_id")
);
--> statement-breakpoint
CREATE TABLE "workflow_looks" (
	"user_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"looked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workflow_looks_user_id_workflow_id_pk" PRIMARY KEY("user_id","workflow_id")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"workflow_id" uuid,
	"connection_id" uuid,
	"kind" text NOT NULL,
	"outcome" text NOT NULL,
	"reason" text,
	"received_at" timestamp (3) with time zone NOT NULL,
	"headers" json NOT NULL,
	"body" "bytea",
	"run_id" uuid,
	"replay_of" uuid
);
--> statement-breakpoint
CREATE TABLE "processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"job_pool_id" text,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"heartbeat_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_job_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "run_claims" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"worker_id" uuid NOT NULL,
	"epoch" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"event_id" uuid NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"epoch" integer DEFAULT 0 NOT NULL,
	"worker_id" uuid,
	"last_statement" bigint DEFAULT 0 NOT NULL,
	"awaited" boolean DEFAULT false NOT NULL,
	"answer" json,
	"error" json,
	"retry_of" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"resume_at" timestamp (3) with time zone,
	"rare_status" text GENERATED ALWAYS AS (case when status in ('waiting', 'failed', 'cancelled') then status end) STORED
);
--> statement-breakpoint
CREATE TABLE "task_runs" (
	"run_id" uuid NOT NULL,
	"task_id" integer NOT NULL,
	"iteration" text DEFAULT '' NOT NULL,
	"status" text NOT NULL,
	"branch" text,
	"run_text" text,
	"output" text,
	"error" json,
	"attempt" smallint DEFAULT 1 NOT NULL,
	"attempts" json,
	"state" text,
	"items" text,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"resume_at" timestamp (3) with time zone,
	CONSTRAINT "task_runs_run_id_task_id_iteration_pk" PRIMARY KEY("run_id","task_id","iteration")
);
--> statement-breakpoint
CREATE TABLE "signal_waits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"key" text NOT NULL,
	"run_id" uuid NOT NULL,
	"task_id" integer NOT NULL,
	"iteration" text NOT NULL,
	"rule" text NOT NULL,
	"quiet_ms" integer NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"is_open" boolean NOT NULL,
	"due_at" timestamp (3) with time zone,
	"signals" text[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "used_signals" (
	"workspace_id" uuid NOT NULL,
	"id" text NOT NULL,
	"used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "used_signals_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"workflow_id" uuid NOT NULL,
	"token_encrypted" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "workflow_versions" (
	"workflow_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"name" text NOT NULL,
	"graph" json NOT NULL,
	"sealed_by" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" text,
	CONSTRAINT "workflow_versions_workflow_id_version_pk" PRIMARY KEY("workflow_id","version")
);
--> statement-breakpoint
CREATE TABLE "workflows" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"draft" json NOT NULL,
	"sealed_by" smallint DEFAULT 0 NOT NULL,
	"draft_revision" integer DEFAULT 1 NOT NULL,
	"next_task_id" integer NOT NULL,
	"trigger_task_id" integer NOT NULL,
	"published_version" integer,
	"active" boolean DEFAULT false NOT NULL,
	"answers_after_run" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "connection_facts" (
	"connection_id" uuid PRIMARY KEY NOT NULL,
	"accounts" json NOT NULL
);
--> statement-breakpoint
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
	"message_kinds" text[] DEFAULT '{}' NOT NULL,
	"words" text[] DEFAULT '{}' NOT NULL,
	"message_trigger" json,
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
	"refused_notifications" integer DEFAULT 0 NOT NULL,
	"last_refused_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"check_problem" text,
	"check_due_at" timestamp (3) with time zone,
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
CREATE TABLE "customer_names" (
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"customer_id" uuid NOT NULL,
	"business_account_id" text NOT NULL,
	"alias_of" text,
	"learned_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "customer_names_workspace_id_name_pk" PRIMARY KEY("workspace_id","name")
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
CREATE TABLE "account_notices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "account_notices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"workspace_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"notice" json NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "named_secrets" (
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"value_encrypted" text NOT NULL,
	"allowed_hosts" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"set_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"set_by" text NOT NULL,
	CONSTRAINT "named_secrets_workspace_id_name_pk" PRIMARY KEY("workspace_id","name")
);
--> statement-breakpoint
CREATE TABLE "setting_secrets" (
	"workspace_id" uuid NOT NULL,
	"id" text NOT NULL,
	"value_encrypted" text NOT NULL,
	"used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "setting_secrets_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "approval_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"workspace_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"task_id" integer NOT NULL,
	"question" text NOT NULL,
	"details" text NOT NULL,
	"approve_label" text NOT NULL,
	"reject_label" text NOT NULL,
	"has_comment" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"decision" text,
	"comment" text,
	"body" text,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "approval_links_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "alert_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"alert_id" uuid NOT NULL,
	"destination_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"target" text NOT NULL,
	"mail_id" uuid,
	"event_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"problem" text,
	"gathered_for" uuid,
	"digest_delivery_id" uuid
);
--> statement-breakpoint
CREATE TABLE "alert_destinations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"config" json NOT NULL,
	"secret_encrypted" text,
	"kinds" text[] NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_recipients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"window_started_at" timestamp (3) with time zone NOT NULL,
	"direct_count" integer NOT NULL,
	"digest_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "alert_settings" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"settings" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_states" (
	"workspace_id" uuid NOT NULL,
	"matter" text NOT NULL,
	"told_at" timestamp (3) with time zone,
	"told_of" text,
	"waiting_count" integer DEFAULT 0 NOT NULL,
	"waiting_since" timestamp (3) with time zone,
	"waiting_run_id" uuid,
	"digest_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alert_states_workspace_id_matter_pk" PRIMARY KEY("workspace_id","matter")
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"workflow_id" uuid,
	"content" json NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "failed_runs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "failed_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run_id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"failed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workflow_alert_settings" (
	"workflow_id" uuid PRIMARY KEY NOT NULL,
	"settings" json NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_identities" ADD CONSTRAINT "user_identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_sessions" ADD CONSTRAINT "user_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "break_glass_owners" ADD CONSTRAINT "break_glass_owners_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_access" ADD CONSTRAINT "group_access_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_roles" ADD CONSTRAINT "group_roles_workspace_id_group_access_workspace_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."group_access"("workspace_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_challenges" ADD CONSTRAINT "sign_in_challenges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "two_factor" ADD CONSTRAINT "two_factor_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_rate_buckets" ADD CONSTRAINT "webhook_rate_buckets_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pinned_outputs" ADD CONSTRAINT "pinned_outputs_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_looks" ADD CONSTRAINT "workflow_looks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_looks" ADD CONSTRAINT "workflow_looks_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_tokens" ADD CONSTRAINT "webhook_tokens_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_facts" ADD CONSTRAINT "connection_facts_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_logins" ADD CONSTRAINT "connection_logins_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_logins" ADD CONSTRAINT "connection_logins_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_subscriptions" ADD CONSTRAINT "connection_subscriptions_connection_id_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connection_subscriptions" ADD CONSTRAINT "connection_subscriptions_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "named_secrets" ADD CONSTRAINT "named_secrets_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "setting_secrets" ADD CONSTRAINT "setting_secrets_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approval_links" ADD CONSTRAINT "approval_links_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_deliveries" ADD CONSTRAINT "alert_deliveries_alert_id_alerts_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alerts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_destinations" ADD CONSTRAINT "alert_destinations_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_recipients" ADD CONSTRAINT "alert_recipients_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_settings" ADD CONSTRAINT "alert_settings_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_states" ADD CONSTRAINT "alert_states_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_alert_settings" ADD CONSTRAINT "workflow_alert_settings_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("due_at") WHERE sent_at is null and failed_at is null;--> statement-breakpoint
CREATE INDEX "mails_created" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "audit_entries_workspace" ON "audit_entries" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "invitations_workspace" ON "invitations" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "invitations_mailed_token" ON "invitations" USING btree ("mailed_token_hash");--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "password_resets_user" ON "password_resets" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_limits_expire" ON "sign_in_limits" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "user_identities_user" ON "user_identities" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "user_sessions_user" ON "user_sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "group_roles_group" ON "group_roles" USING btree ("group_name");--> statement-breakpoint
CREATE INDEX "sign_in_challenges_user" ON "sign_in_challenges" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "api_keys_workspace" ON "api_keys" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "draft_runs_workflow" ON "draft_runs" USING btree ("workflow_id","run_id");--> statement-breakpoint
CREATE INDEX "events_workspace" ON "events" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "events_workflow" ON "events" USING btree ("workflow_id","id");--> statement-breakpoint
CREATE INDEX "events_workspace_rare" ON "events" USING btree ("workspace_id","outcome","id") WHERE outcome <> 'triggered';--> statement-breakpoint
CREATE INDEX "events_workflow_rare" ON "events" USING btree ("workflow_id","outcome","id") WHERE outcome <> 'triggered';--> statement-breakpoint
CREATE INDEX "events_replays" ON "events" USING btree ("replay_of") WHERE replay_of is not null;--> statement-breakpoint
CREATE INDEX "run_claims_worker" ON "run_claims" USING btree ("worker_id");--> statement-breakpoint
CREATE INDEX "runs_workspace" ON "runs" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "runs_workflow" ON "runs" USING btree ("workflow_id","id");--> statement-breakpoint
CREATE INDEX "runs_workspace_rare" ON "runs" USING btree ("workspace_id","rare_status","id") WHERE rare_status is not null;--> statement-breakpoint
CREATE INDEX "runs_workflow_rare" ON "runs" USING btree ("workflow_id","rare_status","id") WHERE rare_status is not null;--> statement-breakpoint
CREATE INDEX "signal_waits_key" ON "signal_waits" USING btree ("workspace_id","key") WHERE is_open;--> statement-breakpoint
CREATE INDEX "signal_waits_run" ON "signal_waits" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "used_signals_age" ON "used_signals" USING btree ("used_at");--> statement-breakpoint
CREATE INDEX "webhook_tokens_workflow" ON "webhook_tokens" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "workflows_workspace" ON "workflows" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "connection_logins_expires" ON "connection_logins" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "connection_subscriptions_workflow" ON "connection_subscriptions" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "connections_workspace" ON "connections" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "connections_business_account" ON "connections" USING btree ("workspace_id","business_account_id") WHERE business_account_id is not null;--> statement-breakpoint
CREATE INDEX "customer_names_customer" ON "customer_names" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "received_changes_age" ON "received_changes" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "sent_messages_run" ON "sent_messages" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "sent_messages_recipient" ON "sent_messages" USING btree ("workspace_id","recipient");--> statement-breakpoint
CREATE INDEX "setting_secrets_used" ON "setting_secrets" USING btree ("used_at");--> statement-breakpoint
CREATE INDEX "approval_links_expiry" ON "approval_links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "alert_deliveries_alert" ON "alert_deliveries" USING btree ("alert_id");--> statement-breakpoint
CREATE INDEX "alert_deliveries_gathered" ON "alert_deliveries" USING btree ("gathered_for","id") WHERE gathered_for is not null;--> statement-breakpoint
CREATE INDEX "alert_deliveries_due" ON "alert_deliveries" USING btree ("due_at") WHERE sent_at is null and failed_at is null and mail_id is null;--> statement-breakpoint
CREATE INDEX "alert_destinations_workspace" ON "alert_destinations" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "alert_recipients_key" ON "alert_recipients" USING btree ("workspace_id","kind","recipient");--> statement-breakpoint
CREATE INDEX "alert_recipients_digest" ON "alert_recipients" USING btree ("digest_at") WHERE digest_at is not null;--> statement-breakpoint
CREATE INDEX "alert_states_digest" ON "alert_states" USING btree ("digest_at") WHERE digest_at is not null;--> statement-breakpoint
CREATE INDEX "alert_states_told" ON "alert_states" USING btree ("matter") WHERE told_of is not null;--> statement-breakpoint
CREATE INDEX "alerts_workspace" ON "alerts" USING btree ("workspace_id","id");--> statement-breakpoint
CREATE INDEX "alerts_created" ON "alerts" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "runs" SET (fillfactor = 70);--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_status" CHECK ("status" in ('queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled'));--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_kind" CHECK ("kind" in ('production', 'test', 'notification'));--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_outcome" CHECK ("outcome" in ('triggered', 'tested', 'not_active', 'response_failed', 'not_forwarded', 'recorded', 'ignored', 'rejected'));--> statement-breakpoint
-- Below zero are drafts that were run; what is published stays positive.
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_not_zero" CHECK ("version" <> 0);--> statement-breakpoint
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_published_positive" CHECK ("published_version" > 0);
