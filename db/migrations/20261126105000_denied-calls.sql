-- Up Migration

-- Which body was denied, so that the same call can be told so. A MAC: without the key nobody finds the body by trial.
alter table approvals add column denied_body_mac bytea;
