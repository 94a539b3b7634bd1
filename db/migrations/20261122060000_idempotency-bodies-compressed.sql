-- Up Migration

-- Compressed, a body is half as much to write to the log, which costs more than to compress it.
alter table idempotency_records reset (toast_tuple_target);
