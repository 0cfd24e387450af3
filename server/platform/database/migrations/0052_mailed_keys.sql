-- The visitor's key in mailed links. Its first use ends session_id as a key, because whoever sent the contact form may not own
-- the address in it.
ALTER TABLE contact_sessions
  ADD COLUMN mailed_key text UNIQUE,
  ADD COLUMN mailed_key_used_at timestamptz;
