import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, statement, timestamp } from '../../db/sql.ts';
import type { Site } from '../access/authenticate.ts';
import { recordChange } from '../change.ts';
import type { Change } from '../change.ts';
import { ServiceError } from '../errors.ts';
import { readPage } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';
import type { PromptStage } from './stages.ts';

const versionRow = z.object({ version: z.number(), template: z.string(), created_at: timestamp });

export type PromptVersion = z.infer<typeof versionRow>;

/**
 * Saves a template as a new version and puts it in effect. The row of the stage is locked by the number it gives, so
 * that versions follow one another without a gap or a double, however many save at once.
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
  await recordChange(change, 'prompt.save', targetOf(change), { stage, version: saved.version });
  return saved;
}

/**
 * Puts the platform's template in effect again. The Site's versions stay, and numbers go on after them.
 *
 * @throws ServiceError NOT_FOUND where the stage has no override
 */
export async function resetPrompt(change: Change, stage: PromptStage): Promise<void> {
  const { tx, site } = change;
  const reset = await tx.exec(statement`
    update prompts set active_version = null
    where site_id = ${site.id} and stage = ${stage} and active_version is not null`);
  if (reset === 0) {
    throw new ServiceError(
      'NOT_FOUND',
      `The stage "${stage}" has no template of this Site: the platform's is in effect.`,
    );
  }
  await recordChange(change, 'prompt.reset', targetOf(change), { stage });
}

/** A page of what was saved for a stage, newest first. */
export function listVersions(
  db: Queryable,
  site: Site,
  stage: PromptStage,
  request: PageRequest,
): Promise<Page<PromptVersion>> {
  return readPage(
    { key: site.cursorKey, query: `prompt-versions:${stage}` },
    request,
    (after, count) => {
      const behind = after === null ? sql.fragment`` : sql.fragment`and version < ${Number(after.id)}`;
      return db.any(sql.type(versionRow)`
        select version, template, created_at from prompt_versions
        where site_id = ${site.id} and stage = ${stage} ${behind} order by version desc limit ${count}`);
    },
    ({ version }) => ({ key: null, id: String(version) }),
  );
}

/** A prompt has no id: the log names it by its Site and, in the details, its stage. */
const targetOf = ({ site }: Change) => ({ type: 'site', id: site.id });
