-- Staff sort conversations by who has waited longest for a reply.
ALTER TABLE chat_threads
  -- The customer's first message after the last reply. Null if the last message is a reply.
  ADD COLUMN unanswered_number bigint;
UPDATE chat_threads SET unanswered_number = (
  SELECT min(number) FROM chat_messages
  WHERE thread_id = chat_threads.id AND number > coalesce((
    SELECT max(number) FROM chat_messages WHERE thread_id = chat_threads.id AND is_admin_reply
  ), 0)
);

ALTER TABLE chat_threads
  -- Those that wait come first, then the others by their last message. Message numbers stay far below 10^15.
  ADD COLUMN waiting_rank bigint NOT NULL GENERATED ALWAYS AS (
    CASE
      WHEN closed_at IS NULL AND unanswered_number IS NOT NULL THEN unanswered_number
      ELSE last_message_number + 1000000000000000
    END
  ) STORED;

-- For the same lists as the indexes by last message.
CREATE INDEX chat_threads_waiting ON chat_threads (waiting_rank);
CREATE INDEX chat_threads_open_waiting ON chat_threads (waiting_rank) INCLUDE (snoozed_until) WHERE closed_at IS NULL;
CREATE INDEX chat_threads_closed_waiting ON chat_threads (waiting_rank) WHERE closed_at IS NOT NULL;
CREATE INDEX chat_threads_assigned_waiting ON chat_threads (assigned_to, waiting_rank) INCLUDE (snoozed_until)
  WHERE closed_at IS NULL AND assigned_to IS NOT NULL;
CREATE INDEX chat_threads_unread_waiting ON chat_threads (waiting_rank) WHERE staff_unread > 0;
