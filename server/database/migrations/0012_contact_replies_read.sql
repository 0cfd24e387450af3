-- Until now nothing noted what visitors had read of a contact thread, so every reply in it counted as unread for good.
-- A reply is mailed when it begins a stretch of unread ones: each thread begins with none.
UPDATE chat_threads SET customer_unread = 0, customer_read_number = last_message_number
WHERE contact_session_id IS NOT NULL AND customer_unread > 0;
