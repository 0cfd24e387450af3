-- Sellers of whom the shop has to report payments to the tax office (form 1099-K): name, address and taxpayer number.
CREATE TABLE tax_details (
  user_id uuid PRIMARY KEY REFERENCES users (id),
  data_key bytea NOT NULL,
  -- Name and address, as JSON.
  sealed_address bytea NOT NULL,
  sealed_tin bytea NOT NULL,
  tin_last_four text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE TRIGGER tax_details_key BEFORE INSERT OR UPDATE OF data_key ON tax_details
  FOR EACH ROW EXECUTE FUNCTION refuse_dropped_key();
