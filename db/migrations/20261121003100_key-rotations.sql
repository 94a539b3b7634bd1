-- Up Migration

-- How often the key was rotated: each rotation has a number.
alter table api_keys add column rotations integer not null default 0;

-- The rotation that replaced the secret; null for the current one. A retired secret's hash is kept, so that its
-- use is told from that of a secret nobody ever gave out.
alter table api_key_secrets
  add column rotation integer,
  add column retired_at timestamptz(3);

update api_key_secrets s set rotation = r.number
from (
  select hash, row_number() over (partition by key_id order by created_at, valid_until) as number
  from api_key_secrets where valid_until is not null
) r where r.hash = s.hash;

update api_keys k set rotations = r.count
from (select key_id, count(*) from api_key_secrets where rotation is not null group by key_id) r where r.key_id = k.id;

-- Of two rotations at once one comes after the other: a key has one current secret.
alter table api_key_secrets
  add constraint api_key_secrets_rotation_key unique nulls not distinct (key_id, rotation),
  add constraint api_key_secrets_replaced_check check ((rotation is null) = (valid_until is null)),
  add constraint api_key_secrets_retired_check check (retired_at is null or rotation is not null);

drop index api_key_secrets_key_id_idx;
