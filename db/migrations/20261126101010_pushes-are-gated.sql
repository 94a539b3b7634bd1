-- Up Migration

-- Agents push only with an approval. Organisations that chose their own list chose it before there were pushes, so they
-- are added to it where runs of the pipeline are in it. Few rows: most have chosen none.
with chosen as (
  select id from organisations
  where 'pipeline.run' = any(approval_operations) and not 'cms.push' = any(approval_operations)
)
update organisations o set approval_operations = approval_operations || '{cms.push}', version = version + 1
from chosen where chosen.id = o.id;
