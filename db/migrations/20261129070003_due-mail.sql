-- Up Migration, without a transaction

drop index concurrently if exists notifications_mail_due_idx;
create index concurrently notifications_mail_due_idx on notifications (member_id, mail_due_at) where mail_due_at is not null;
