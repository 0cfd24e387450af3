-- 0012 came without this column at first. Databases of that version get it now, as 0012 adds it.
DO $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_attribute WHERE attrelid = 'chat_threads'::regclass AND attname = 'customer_mailed_number'
  ) THEN
    ALTER TABLE chat_threads ADD COLUMN customer_mailed_number bigint NOT NULL DEFAULT 0;
    UPDATE chat_threads SET customer_mailed_number = last_message_number;
  END IF;
END
$$;
