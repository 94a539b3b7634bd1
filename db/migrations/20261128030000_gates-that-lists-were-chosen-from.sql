-- Up Migration

-- The gates that there were when an organisation chose its list: one that came later is in force until a person takes
-- it out. The default is what the first lists were chosen from, so that those gain all that has come since (scans,
-- pushes and the autopilot among it), and so do lists that an older process still saves.
alter table organisations add column approval_operations_offered text[] not null default
  '{article.delete,media.delete,comment.delete,comments.erase,key.create,key.rotate,key.revoke,webhook.create,webhook.update,webhook.rotate_secret,pipeline.run,member.add,member.role,member.remove}';
