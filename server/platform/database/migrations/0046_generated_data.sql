-- Whether `npm run data` created the database. It fills no other.
ALTER TABLE installation ADD COLUMN is_generated boolean NOT NULL DEFAULT false;
