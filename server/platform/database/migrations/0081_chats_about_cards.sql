-- The submission that a seller's conversation is about, if it is about one.
ALTER TABLE chat_threads
  ADD COLUMN gift_card_id uuid REFERENCES gift_cards (id),
  ADD CONSTRAINT chat_threads_about_own_card CHECK (gift_card_id IS NULL OR user_id IS NOT NULL);
-- Deleting an account deletes its submissions.
CREATE INDEX chat_threads_gift_card ON chat_threads (gift_card_id) WHERE gift_card_id IS NOT NULL;
