import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql, timestamp } from '../../db/sql.ts';
import { defaultTemplates } from './default-templates.ts';
import type { PromptStage } from './stages.ts';

const override = z.object({
  stage: z.string(),
  template: z.string(),
  version: z.number(),
  created_at: timestamp,
});

/** A template of the Site that is in effect. */
export type PromptOverride = z.infer<typeof override>;

/** The Site's effective templates, by stage. */
export async function listOverrides(
  db: Queryable,
  siteId: string,
): Promise<ReadonlyMap<string, PromptOverride>> {
  const rows = await db.any(sql.type(override)`
    select v.stage, v.template, v.version, v.created_at from prompts p
    join prompt_versions v on v.site_id = p.site_id and v.stage = p.stage and v.version = p.active_version
    where p.site_id = ${siteId}`);
  return new Map(rows.map((row) => [row.stage, row]));
}

/** The effective template of a stage. @returns its version, null for the platform's */
export async function findPrompt(
  db: Queryable,
  siteId: string,
  stage: PromptStage,
): Promise<{ readonly template: string; readonly version: number | null }> {
  const overrides = await listOverrides(db, siteId);
  return overrides.get(stage) ?? { template: defaultTemplates[stage], version: null };
}
