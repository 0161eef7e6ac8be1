ALTER TABLE "run_claims" ADD COLUMN "epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "last_statement" bigint DEFAULT 0 NOT NULL;