-- The name under which a batch's file is downloaded, made with the file.
ALTER TABLE payout_batches ADD COLUMN file_name text,
  ADD CHECK ((sealed_file IS NULL) = (file_name IS NULL));
