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
CREATE INDEX "signal_waits_key" ON "signal_waits" USING btree ("workspace_id","key") WHERE is_open;--> statement-breakpoint
CREATE INDEX "signal_waits_run" ON "signal_waits" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "used_signals_age" ON "used_signals" USING btree ("used_at");