-- Conversations with staff: of signed-in sellers, and of visitors who wrote by the contact form.

CREATE TABLE contact_sessions (
  id uuid PRIMARY KEY,
  -- The visitor's key to the thread: random, and all that it takes.
  session_id varchar(255) NOT NULL UNIQUE,
  first_name varchar(100) NOT NULL,
  last_name varchar(100) NOT NULL,
  email varchar(255) NOT NULL,
  subject varchar(255) NOT NULL,
  status varchar(50) NOT NULL DEFAULT 'active',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- One row for each conversation, kept with every message: the list of staff reads this and counts nothing.
CREATE TABLE chat_threads (
  id uuid PRIMARY KEY,
  user_id uuid UNIQUE REFERENCES users (id),
  contact_session_id uuid UNIQUE REFERENCES contact_sessions (id),
  last_message text NOT NULL DEFAULT '',
  last_message_at timestamptz NOT NULL DEFAULT now(),
  last_message_number bigint NOT NULL DEFAULT 0,
  -- Up to which message each side has read the other's, and how many it hasn't.
  staff_read_number bigint NOT NULL DEFAULT 0,
  staff_unread integer NOT NULL DEFAULT 0,
  customer_read_number bigint NOT NULL DEFAULT 0,
  customer_unread integer NOT NULL DEFAULT 0,
  -- A lease: who is writing a reply, until when that is believed.
  answering_by uuid REFERENCES administrators (id),
  answering_until timestamptz,
  CONSTRAINT chat_threads_one_customer CHECK (num_nonnulls(user_id, contact_session_id) = 1)
);
CREATE INDEX chat_threads_newest ON chat_threads (last_message_number DESC);

CREATE TABLE chat_messages (
  id uuid PRIMARY KEY,
  -- The order, within a thread and of all: drawn while the thread is locked, so no two clocks can disagree.
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  thread_id uuid NOT NULL REFERENCES chat_threads (id),
  message text NOT NULL,
  is_admin_reply boolean NOT NULL DEFAULT false,
  admin_user_id uuid REFERENCES administrators (id),
  client_id uuid,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT chat_messages_author CHECK (is_admin_reply = (admin_user_id IS NOT NULL))
);
CREATE INDEX chat_messages_thread ON chat_messages (thread_id, number DESC);
-- A message that is sent again is the same message; each side makes ids of its own.
CREATE UNIQUE INDEX chat_messages_client_id ON chat_messages (thread_id, is_admin_reply, client_id)
  WHERE client_id IS NOT NULL;

CREATE TABLE saved_replies (
  id uuid PRIMARY KEY,
  title varchar(100) NOT NULL,
  text text NOT NULL,
  created_by uuid NOT NULL REFERENCES administrators (id),
  created_at timestamptz NOT NULL DEFAULT now()
);
