-- Staff decide which reviews visitors may read, with the seller's first name as it was when the review was written.
ALTER TABLE reviews
  ADD COLUMN state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'hidden')),
  ADD COLUMN first_name text,
  ADD COLUMN locale text NOT NULL DEFAULT 'en';

UPDATE reviews SET first_name = split_part(trim(users.first_name), ' ', 1), locale = users.locale
FROM users WHERE users.id = reviews.reviewer_id AND users.deleted_at IS NULL;

-- Only reviews with a text are shown or decided on.
CREATE INDEX reviews_with_text ON reviews (state, id DESC) WHERE comment IS NOT NULL;
