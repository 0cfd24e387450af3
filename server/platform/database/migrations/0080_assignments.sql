-- A claim made for a colleague. It ends with the next move: it counts only for this version of the submission.
ALTER TABLE claims
  ADD COLUMN assigned_by uuid REFERENCES administrators (id),
  ADD COLUMN version integer,
  ADD CONSTRAINT claims_assigned CHECK ((assigned_by IS NULL) = (version IS NULL));

-- Who assigned a conversation, and when. Unknown for those assigned before.
ALTER TABLE chat_threads
  ADD COLUMN assigned_by uuid REFERENCES administrators (id),
  ADD COLUMN assigned_at timestamptz;

-- Conversations that wait come first, oldest first, then the others, newest first.
ALTER TABLE chat_threads DROP COLUMN waiting_rank;
ALTER TABLE chat_threads ADD COLUMN waiting_rank bigint NOT NULL GENERATED ALWAYS AS (
  CASE
    WHEN closed_at IS NULL AND unanswered_number IS NOT NULL THEN unanswered_number
    ELSE 2000000000000000 - last_message_number
  END
) STORED;
CREATE INDEX chat_threads_waiting ON chat_threads (waiting_rank);
CREATE INDEX chat_threads_open_waiting ON chat_threads (waiting_rank) INCLUDE (snoozed_until) WHERE closed_at IS NULL;
CREATE INDEX chat_threads_closed_waiting ON chat_threads (waiting_rank) WHERE closed_at IS NOT NULL;
CREATE INDEX chat_threads_assigned_waiting ON chat_threads (assigned_to, waiting_rank) INCLUDE (snoozed_until)
  WHERE closed_at IS NULL AND assigned_to IS NOT NULL;
CREATE INDEX chat_threads_unread_waiting ON chat_threads (waiting_rank) WHERE staff_unread > 0;
