-- Until now nothing noted what visitors had read of a contact thread, so every reply in it counted as unread for good.
UPDATE chat_threads SET customer_unread = 0, customer_read_number = last_message_number
WHERE contact_session_id IS NOT NULL AND customer_unread > 0;

-- Replies up to this message were mailed, or read before their mail was due. Replies from before this version are not mailed.
ALTER TABLE chat_threads ADD COLUMN customer_mailed_number bigint NOT NULL DEFAULT 0;
UPDATE chat_threads SET customer_mailed_number = last_message_number;
