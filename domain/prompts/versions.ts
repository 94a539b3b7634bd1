import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement, timestamp } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { ServiceError } from '../kernel/errors.ts';
import { pageSql } from '../kernel/page.ts';
import type { Order, PageRequest } from '../kernel/page.ts';
import { readWeighedPage, withinStep } from '../kernel/weighed-page.ts';
import type { WeighedPage } from '../kernel/weighed-page.ts';
import type { PromptStage } from './stages.ts';

const versionRow = z.object({ version: z.number(), template: z.string(), created_at: timestamp });

const activeRow = z.object({ active_version: z.number() });

const weighedRow = versionRow.extend({ found: z.number() });

export type PromptVersion = z.infer<typeof versionRow>;

/**
 * Saves a template as a new version and puts it into effect. Taking the number locks the row of the stage, so that
 * concurrent saves get consecutive versions.
 */
export async function savePrompt(
  change: Change,
  stage: PromptStage,
  template: string,
): Promise<PromptVersion> {
  const { tx, site, now } = change;
  const saved = await tx.one(sql.type(versionRow)`
    with numbered as (
      insert into prompts as p (site_id, stage, last_version, active_version) values (${site.id}, ${stage}, 1, 1)
      on conflict on constraint prompts_pkey
        do update set last_version = p.last_version + 1, active_version = p.last_version + 1
      returning last_version
    )
    insert into prompt_versions (site_id, stage, version, template, created_at)
    select ${site.id}::uuid, ${stage}, last_version, ${template}, ${at(now)}::timestamptz from numbered
    returning version, template, created_at`);
  recordChange(change, 'prompt.save', targetOf(change), { stage, version: saved.version });
  return saved;
}

/**
 * Puts the platform's template into effect again. The Site's versions are kept, and numbering continues after them.
 *
 * @throws ServiceError NOT_FOUND if the stage has no override
 */
export async function resetPrompt(change: Change, stage: PromptStage): Promise<void> {
  const { tx, site } = change;
  await lockActiveVersion(tx, site.id, stage);
  await tx.exec(statement`
    update prompts set active_version = null where site_id = ${site.id} and stage = ${stage}`);
  recordChange(change, 'prompt.reset', targetOf(change), { stage });
}

/** The version that is in effect. @throws ServiceError NOT_FOUND if the stage has no override */
export async function lockActiveVersion(
  tx: Transaction,
  siteId: string,
  stage: PromptStage,
): Promise<number> {
  const active = await tx.maybeOne(sql.type(activeRow)`
    select active_version from prompts
    where site_id = ${siteId} and stage = ${stage} and active_version is not null for no key update`);
  if (active !== null) return active.active_version;
  throw new ServiceError(
    'NOT_FOUND',
    `The stage "${stage}" has no template of this Site: the platform's is in effect.`,
  );
}

const newest: Order<PromptVersion> = {
  columns: [sql.fragment`a.version`],
  direction: 'desc',
  positionOf: ({ version }) => ({ key: null, id: String(version) }),
};

/** A page of the saved versions of a stage, newest first. */
export function listVersions(
  db: Queryable,
  site: Site,
  stage: PromptStage,
  request: PageRequest,
  write: (version: PromptVersion) => string,
): Promise<WeighedPage> {
  return readWeighedPage(
    { key: site.cursorKey, query: `prompt-versions:${stage}` },
    request,
    (position, count) => {
      const { after, order } = pageSql(newest, position);
      const rows = sql.fragment`
        select a.version, a.template, a.created_at from prompt_versions a
        where site_id = ${site.id} and stage = ${stage} and ${after} order by ${order} limit ${count}`;
      return db.any(sql.type(weighedRow)`${withinStep(rows, order, sql.fragment`octet_length(a.template)`)}`);
    },
    newest.positionOf,
    write,
  );
}

/** A prompt has no id: the audit log identifies it by its Site and, in the details, its stage. */
const targetOf = ({ site }: Change) => ({ type: 'site', id: site.id });
