-- The last report that mail to the seller does not arrive: address, kind, reason and time. Cleared when an address is confirmed.
ALTER TABLE users ADD COLUMN bounce jsonb;
