-- Staff close, snooze and assign threads. A thread that is neither closed nor snoozed is open.
ALTER TABLE chat_threads
  ADD COLUMN closed_at timestamptz,
  -- Over by itself once this time has passed.
  ADD COLUMN snoozed_until timestamptz,
  ADD COLUMN assigned_to uuid REFERENCES administrators (id),
  ADD CONSTRAINT chat_threads_one_state CHECK (closed_at IS NULL OR snoozed_until IS NULL);

-- One for each of the staff's lists. Those with `snoozed_until` are also counted without reading the table.
CREATE INDEX chat_threads_open ON chat_threads (last_message_number DESC) INCLUDE (snoozed_until)
  WHERE closed_at IS NULL;
CREATE INDEX chat_threads_closed ON chat_threads (last_message_number DESC) WHERE closed_at IS NOT NULL;
CREATE INDEX chat_threads_snoozed ON chat_threads (snoozed_until) WHERE snoozed_until IS NOT NULL;
CREATE INDEX chat_threads_assigned ON chat_threads (assigned_to, last_message_number DESC) INCLUDE (snoozed_until)
  WHERE closed_at IS NULL AND assigned_to IS NOT NULL;
CREATE INDEX chat_threads_unread ON chat_threads (last_message_number DESC) WHERE staff_unread > 0;
