CREATE TABLE "full_text_postings" (
	"segment_id" bigint NOT NULL,
	"bucket" smallint NOT NULL,
	"entries" "bytea" NOT NULL,
	CONSTRAINT "full_text_postings_segment_id_bucket_pk" PRIMARY KEY("segment_id","bucket")
);
--> statement-breakpoint
CREATE TABLE "full_text_segments" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "full_text_segments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"workspace_id" uuid NOT NULL,
	"from_ms" bigint NOT NULL,
	"to_ms" bigint NOT NULL,
	"documents" integer,
	"ids" "bytea",
	"version" integer DEFAULT 0 NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "full_text_segments_workspace_id_from_ms_pk" PRIMARY KEY("workspace_id","from_ms"),
	CONSTRAINT "full_text_segments_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "full_text_switch" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "full_text_switch_one_row" CHECK (id = 1)
);
--> statement-breakpoint
ALTER TABLE "full_text_segments" ALTER COLUMN "ids" SET STORAGE EXTERNAL;