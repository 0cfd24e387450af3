-- Sellers have second factors too. account_id is a seller's or an administrator's, as in known_browsers. It is part of what the
-- secrets are sealed with, so it stays the same.
ALTER TABLE second_factors DROP CONSTRAINT second_factors_administrator_id_fkey;
ALTER TABLE second_factors RENAME COLUMN administrator_id TO account_id;
ALTER TABLE recovery_codes DROP CONSTRAINT recovery_codes_administrator_id_fkey;
ALTER TABLE recovery_codes RENAME COLUMN administrator_id TO account_id;
