ALTER TABLE "invitations" ADD COLUMN "mailed_token_hash" "bytea";--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "user_sessions" ADD COLUMN "passkey_id" uuid;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "is_address_unproven" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "invitations_mailed_token" ON "invitations" USING btree ("mailed_token_hash");