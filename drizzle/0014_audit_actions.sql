-- Names of what was recorded: what a connection forwards is added to a workflow, and removed from it.
UPDATE "audit_entries" SET "action" = 'connection.workflow_added' WHERE "action" = 'connection.handed_on';--> statement-breakpoint
UPDATE "audit_entries" SET "action" = 'connection.workflow_removed' WHERE "action" = 'connection.not_handed_on';
