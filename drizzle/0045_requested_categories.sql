CREATE TABLE "requested_categories" (
	"workspace_id" uuid NOT NULL,
	"template_id" text NOT NULL,
	"category" text NOT NULL,
	CONSTRAINT "requested_categories_workspace_id_template_id_pk" PRIMARY KEY("workspace_id","template_id")
);
