-- Up Migration

-- Where in which trace (W3C's traceparent) a message or an event was made, where that was traced: what comes of it
-- later is a part of the same trace.
alter table outbox add column traceparent text;
alter table events add column traceparent text;
