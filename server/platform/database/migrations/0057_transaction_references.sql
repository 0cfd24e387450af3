-- Staff see the end of a transaction's id, and search for it.
CREATE INDEX transactions_reference ON transactions (right(id::text, 8));
