-- Each look for words reads what is not in the index's tree yet, which was up to 4 MB.
ALTER INDEX "received_words_words" SET (gin_pending_list_limit = 256);--> statement-breakpoint
-- A message is inserted short, and grows with each of its statuses: with space on its page none of its indexes is written again.
ALTER TABLE "sent_messages" SET (fillfactor = 50);
