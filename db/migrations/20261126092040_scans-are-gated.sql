-- Up Migration

-- Agents start paid scans only with an approval. Organisations that chose their own list chose it before there were
-- scans, so they are added to it where runs of the pipeline are in it. Few rows: most have chosen none.
with chosen as (
  select id from organisations
  where 'pipeline.run' = any(approval_operations) and not 'seo_scan.start' = any(approval_operations)
)
update organisations o set approval_operations = approval_operations || '{seo_scan.start}', version = version + 1
from chosen where chosen.id = o.id;
