-- Each look for words reads what is not in the index's tree yet, which was up to 4 MB.
ALTER INDEX "received_words_words" SET (gin_pending_list_limit = 64);
