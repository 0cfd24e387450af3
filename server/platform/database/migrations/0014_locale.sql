-- The language of an account: what the server answers in, and what emails are written in.
ALTER TABLE users ADD COLUMN locale text NOT NULL DEFAULT 'en' CONSTRAINT users_locale_check CHECK (locale IN ('en', 'es'));
