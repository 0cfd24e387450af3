-- When the shop last checked that the balance page or phone of a brand works.
ALTER TABLE brands ADD COLUMN balance_checked_on date;

-- The known ones, where the shop has entered none.
UPDATE brands SET balance_url = known.url, balance_phone = known.phone
FROM (VALUES
  ('amazon', 'https://www.amazon.com/gc/balance', NULL),
  ('target', 'https://www.target.com/guest/gift-card-balance', '1-800-544-2943'),
  ('walmart', NULL, '1-888-537-5503'),
  ('best_buy', 'https://www.bestbuy.com/gift-card-balance', '1-888-716-7994'),
  ('nike', 'https://www.nike.com/orders/gift-card-lookup', '1-800-806-6453'),
  ('adidas', 'https://www.adidas.com/giftcard', NULL),
  ('macys', NULL, '1-800-511-2752'),
  ('starbucks', 'https://www.starbucks.com/card', '1-800-782-7282'),
  ('itunes', 'https://secure.store.apple.com/shop/giftcard/balance', '1-800-275-2273'),
  ('sephora', 'https://www.sephora.com/beauty/giftcards', '1-888-860-7897'),
  ('ulta', 'https://www.ulta.com/guestservices/gift-cards/faq', '1-888-566-2736'),
  ('home_depot', 'https://www.homedepot.com/mycheckout/giftcard', NULL),
  ('lowes', 'https://www.lowes.com/giftcards', '1-800-560-7172'),
  ('onevanilla', 'https://balance.vanillagift.com/', '1-877-770-6408'),
  ('american_express', 'https://balance.amexgiftcard.com/', '1-877-297-4438')
) AS known (slug, url, phone)
WHERE brands.slug = known.slug AND brands.balance_url IS NULL AND brands.balance_phone IS NULL;
