CREATE TABLE "search_keys" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"key" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "search_keys_key" ON "search_keys" USING btree ("workspace_id","key","event_id");