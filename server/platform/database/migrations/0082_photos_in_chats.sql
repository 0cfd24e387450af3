-- Photos that sellers and staff send in the chat. Each message has the key of its photos, so erasing the key erases them.
ALTER TABLE chat_messages
  ADD COLUMN data_key bytea,
  -- Also of photos that were erased.
  ADD COLUMN photo_count integer NOT NULL DEFAULT 0;
CREATE INDEX chat_messages_sealed ON chat_messages (id) WHERE data_key IS NOT NULL;
CREATE TRIGGER chat_messages_key BEFORE INSERT OR UPDATE OF data_key ON chat_messages
  FOR EACH ROW EXECUTE FUNCTION refuse_dropped_key();

ALTER TABLE photos
  ALTER COLUMN gift_card_id DROP NOT NULL,
  ADD COLUMN chat_message_id uuid REFERENCES chat_messages (id),
  ADD CONSTRAINT photos_one_owner CHECK (num_nonnulls(gift_card_id, chat_message_id) = 1),
  DROP CONSTRAINT photos_position_key,
  ADD CONSTRAINT photos_position_key
    UNIQUE NULLS NOT DISTINCT (gift_card_id, balance_check_id, chat_message_id, position);
CREATE INDEX photos_chat_message ON photos (chat_message_id) WHERE chat_message_id IS NOT NULL;
