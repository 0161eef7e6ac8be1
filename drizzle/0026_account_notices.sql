CREATE TABLE "account_notices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "account_notices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"workspace_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"notice" json NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL
);
