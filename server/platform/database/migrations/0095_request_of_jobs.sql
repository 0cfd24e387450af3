-- The request that asked for the job. `transaction` names it, so jobs of triggers have it too. Null: the server asked.
ALTER TABLE jobs ADD COLUMN request_id uuid DEFAULT nullif(current_setting('unspent.request_id', true), '')::uuid;
-- The span in which it was asked for, if the server sends traces: https://www.w3.org/TR/trace-context/#traceparent-header
ALTER TABLE jobs ADD COLUMN traceparent text DEFAULT nullif(current_setting('unspent.traceparent', true), '');
