-- The same reply for customers who read Spanish.
ALTER TABLE saved_replies ADD COLUMN spanish_text text;
