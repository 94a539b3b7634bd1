-- Up Migration

-- How many people have to approve before something is published or scheduled.
alter table sites add column required_reviews integer not null default 0;

-- The version in which the changes of the edit were last others, by which reviews name its text; everybody who made them,
-- as memberships; and whether they became others after they were scheduled, when that needed approvals.
alter table pending_edits add column text_number integer not null default 0;
alter table pending_edits add column changed_by uuid[] not null default '{}';
alter table pending_edits add column unreviewed boolean not null default false;

-- Members stay as long as their organisation, so that nothing here refers to them.
create table reviews (
  id uuid primary key,
  site_id uuid not null references sites (id),
  article_id uuid not null references articles (id) on delete cascade,
  state text not null
    constraint reviews_state_check check (state in ('requested', 'approved', 'changes_requested', 'withdrawn')),
  subject text not null constraint reviews_subject_check check (subject in ('article', 'pending_edit')),
  -- The revision that is reviewed, or the text number of the pending edit; null once that edit is gone.
  text_number integer,
  requested_by uuid not null,
  reviewer_ids uuid[] not null,
  note text,
  due_date date,
  decided_by uuid,
  decided_at timestamptz(3),
  decision_note text,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  constraint reviews_decided_check check (
    (state in ('approved', 'changes_requested')) = (decided_by is not null and decided_at is not null)
  )
);

-- An article has one open review.
create unique index reviews_open_key on reviews (article_id) where state = 'requested';
create index reviews_article_idx on reviews (article_id, id);
create index reviews_site_idx on reviews (site_id, id);
create index reviews_state_idx on reviews (site_id, state, id);
create index reviews_due_idx on reviews (site_id, due_date) where due_date is not null;
create index reviews_reviewers_idx on reviews using gin (reviewer_ids);

create table review_approvals (
  review_id uuid not null references reviews (id) on delete cascade,
  member_id uuid not null,
  -- The text that was approved.
  text_number integer not null,
  note text,
  at timestamptz(3) not null,
  primary key (review_id, member_id)
);

-- A pending edit that is gone is not reviewed any more, and what was approved of it allows nothing of the next one.
create function end_reviews_of_pending_edit() returns trigger language plpgsql as $$
begin
  update reviews set
    state = case when state = 'requested' then 'withdrawn' else state end, text_number = null, version = version + 1
  where article_id = old.article_id and subject = 'pending_edit' and text_number is not null;
  return null;
end $$;

create trigger pending_edits_end_reviews after delete on pending_edits
  for each row execute function end_reviews_of_pending_edit();
