-- The operator's own services, which are asked for the balance of a brand's cards.
CREATE TABLE balance_connectors (
  id uuid PRIMARY KEY,
  brand text NOT NULL UNIQUE REFERENCES brands (slug),
  url text NOT NULL,
  paused boolean NOT NULL DEFAULT false,
  data_key bytea NOT NULL,
  secret bytea NOT NULL,
  -- Signs too for a day after rotated_at.
  previous_secret bytea,
  rotated_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TRIGGER balance_connectors_key BEFORE INSERT OR UPDATE OF data_key ON balance_connectors
  FOR EACH ROW EXECUTE FUNCTION refuse_dropped_key();

-- Each question to such a service, and what came of it. Never holds a number.
CREATE TABLE balance_requests (
  id uuid PRIMARY KEY,
  gift_card_id uuid NOT NULL REFERENCES gift_cards (id),
  -- Null if nobody pressed the button.
  by_id uuid REFERENCES administrators (id),
  asked_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  -- Null until it is answered.
  outcome text,
  amount bigint CHECK (amount >= 0),
  CHECK ((outcome IS NOT DISTINCT FROM 'ok') = (amount IS NOT NULL))
);
CREATE INDEX balance_requests_gift_card ON balance_requests (gift_card_id, id DESC);

-- A check by a service is nobody's.
ALTER TABLE balance_checks ALTER COLUMN by_id DROP NOT NULL,
  DROP CONSTRAINT balance_checks_source_check,
  ADD CONSTRAINT balance_checks_source_check CHECK (source IN ('website', 'phone', 'store', 'other', 'connector')),
  ADD CONSTRAINT balance_checks_by_check CHECK ((source = 'connector') = (by_id IS NULL));
