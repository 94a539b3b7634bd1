-- Up Migration

-- Whether readers are told of articles that a machine took part in.
alter table sites add column ai_disclosure text not null default 'none';
