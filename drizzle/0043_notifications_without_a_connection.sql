CREATE TABLE "unrouted_notifications" (
	"reason" text NOT NULL,
	"business_account_id" text NOT NULL,
	"fields" text[] NOT NULL,
	"first_received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "unrouted_notifications_reason_business_account_id_pk" PRIMARY KEY("reason","business_account_id"),
	CONSTRAINT "unrouted_notifications_reason" CHECK (reason in ('account', 'signature'))
);
