-- Up Migration

-- Agents change members only with an approval. Organisations that chose their own list chose it before there were
-- these three, so they are added to it; a person may take them out again. Few rows: most have chosen none.
with chosen as (select id from organisations where approval_operations is not null)
update organisations o
set approval_operations = approval_operations || '{member.add,member.role,member.remove}', version = version + 1
from chosen where chosen.id = o.id;
