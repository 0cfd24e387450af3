-- Which files of the photo store this installation may remove, and which store is its own.

-- Photos that are being stored, or whose rows are gone: only these files are ever removed. A name is here or in photos.
CREATE TABLE photo_intents (
  name text PRIMARY KEY,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The file may be gone already: no row of photos can have this name any more.
  removing boolean NOT NULL DEFAULT false
);

-- One row, made by the first server. The photo store is marked with its id.
CREATE TABLE installation (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  id uuid NOT NULL,
  -- Identifies this database: a copy is detected by it and gets a new id.
  database text NOT NULL,
  -- The photo store that a server last used. If it lacks the mark later, its disk may not be mounted.
  store text
);

-- A completed submission is kept until it is released, and erased ERASE_AFTER_DAYS later.
ALTER TABLE gift_cards ADD COLUMN released_at timestamptz;
DROP INDEX gift_cards_to_erase;
CREATE INDEX gift_cards_to_erase ON gift_cards (coalesce(released_at, updated_at))
  WHERE data_key IS NOT NULL AND (status IN ('rejected', 'failed', 'cancelled') OR released_at IS NOT NULL);
-- Completed cards, oldest first, that can be released.
CREATE INDEX gift_cards_to_release ON gift_cards (updated_at)
  WHERE data_key IS NOT NULL AND status = 'completed' AND released_at IS NULL;
