-- Up Migration

-- The rows satisfied a stricter check, so validating the new one finds nothing.
alter table members drop constraint members_role_check;
alter table members add constraint members_role_check
  check (role in ('owner', 'admin', 'editor', 'author', 'contributor', 'viewer')) not valid;
