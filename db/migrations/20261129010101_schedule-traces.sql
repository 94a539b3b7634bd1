-- Up Migration

-- Where in which trace (W3C's traceparent) it was scheduled, where that was traced: its publication is a part of the same.
alter table articles add column schedule_traceparent text;
alter table pending_edits add column schedule_traceparent text;
