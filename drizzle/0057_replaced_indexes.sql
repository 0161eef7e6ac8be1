DROP INDEX CONCURRENTLY "customer_names_age";--> statement-breakpoint
DROP INDEX CONCURRENTLY "sent_messages_recipient";