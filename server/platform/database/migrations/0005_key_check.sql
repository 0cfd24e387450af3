-- What the database remembers of the keys that its secrets are sealed with: one row.
CREATE TABLE key_check (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  wrapped bytea NOT NULL,
  index_check bytea NOT NULL
);
