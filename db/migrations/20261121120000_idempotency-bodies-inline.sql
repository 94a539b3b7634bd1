-- Up Migration

-- A body of a few kilobytes is looked at once in its day, if ever: to compress it costs more than to keep it as it is.
alter table idempotency_records set (toast_tuple_target = 8160);
