-- Addresses of other programs that are sent events.
CREATE TABLE webhook_endpoints (
  id uuid PRIMARY KEY,
  url text NOT NULL,
  events text[] NOT NULL,
  paused boolean NOT NULL DEFAULT false,
  data_key bytea NOT NULL,
  secret bytea NOT NULL,
  -- Signs too for a day after rotated_at.
  previous_secret bytea,
  rotated_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TRIGGER webhook_endpoints_key BEFORE INSERT OR UPDATE OF data_key ON webhook_endpoints
  FOR EACH ROW EXECUTE FUNCTION refuse_dropped_key();

-- What was sent, from the first attempt on. The id is also that of the job.
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  endpoint_id uuid NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  event text NOT NULL,
  -- The same event is delivered once.
  event_key text NOT NULL,
  body text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  response_code integer,
  error text,
  duration_ms integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  attempted_at timestamptz,
  delivered_at timestamptz,
  UNIQUE (endpoint_id, event_key)
);
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_created ON webhook_deliveries (created_at);

-- Each endpoint has a worker, which looks for its due jobs.
CREATE INDEX jobs_webhooks_due ON jobs ((payload->>'endpointId'), run_at)
  WHERE kind = 'webhook' AND done_at IS NULL AND failed_at IS NULL;

-- Adds a job for each endpoint that takes the event, in the transaction of the event. Here and not in the server, because then
-- no path to an event can forget it, and without endpoints it costs no statement.
CREATE FUNCTION announce(event text, about uuid, version integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO jobs (id, kind, key, payload)
  SELECT made.id, 'webhook', made.id::text, jsonb_build_object(
    'endpointId', made.endpoint_id, 'event', event, 'about', about, 'version', version, 'at', now()
  )
  FROM (
    SELECT gen_random_uuid() AS id, webhook_endpoints.id AS endpoint_id FROM webhook_endpoints
    WHERE NOT paused AND event = ANY (events)
  ) AS made;
  IF FOUND THEN
    PERFORM pg_notify('unspent_jobs', 'webhooks');
  END IF;
END
$$;

CREATE FUNCTION announce_move() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sale uuid;
BEGIN
  IF NOT EXISTS (SELECT FROM webhook_endpoints) THEN
    RETURN NULL;
  END IF;
  PERFORM announce(
    CASE WHEN NEW.from_status IS NULL THEN 'submission.created' ELSE 'submission.moved' END,
    NEW.gift_card_id, NEW.version
  );
  -- Whether the sale is complete is known after the commit: its other cards may move at the same time.
  SELECT sale_id INTO sale FROM gift_cards WHERE id = NEW.gift_card_id;
  IF sale IS NOT NULL AND NEW.from_status IS NOT NULL THEN
    PERFORM announce('sale.completed', sale, NULL);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER status_history_announced AFTER INSERT ON status_history
  FOR EACH ROW EXECUTE FUNCTION announce_move();

CREATE FUNCTION announce_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('payout.' || NEW.state, NEW.id, NULL);
  RETURN NULL;
END
$$;
CREATE TRIGGER payouts_announced AFTER UPDATE OF state ON payouts FOR EACH ROW
  WHEN (NEW.state IS DISTINCT FROM OLD.state AND NEW.state IN ('paid', 'returned'))
  EXECUTE FUNCTION announce_payout();

CREATE FUNCTION announce_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('message.received', NEW.id, NULL);
  RETURN NULL;
END
$$;
CREATE TRIGGER chat_messages_announced AFTER INSERT ON chat_messages FOR EACH ROW
  WHEN (NOT NEW.is_admin_reply)
  EXECUTE FUNCTION announce_message();
