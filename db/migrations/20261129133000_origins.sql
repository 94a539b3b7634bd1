-- Up Migration

-- Who wrote the text. Housekeeping fills in what the pipeline wrote before (domain/pipeline/origins-of-earlier.ts).
alter table articles add column origin text not null default 'person';
alter table articles add constraint articles_origin_check
  check (origin in ('person', 'assisted', 'generated')) not valid;
