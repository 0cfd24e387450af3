-- The sequence of an unlogged table cannot be read on a standby that was promoted, which pg_dump does. The ids are random since 1.0.0.
ALTER TABLE audit_pending ALTER id DROP IDENTITY IF EXISTS;
