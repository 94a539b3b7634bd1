import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { array, sql, timestamp } from '../../db/sql.ts';
import { articleRow, articleStatuses, pipelineStatuses } from '../articles/row.ts';
import { notFound } from '../kernel/errors.ts';
import { person, personRow } from '../organisations/person.ts';
import { stages } from './stages.ts';
import { stepStatuses } from './steps.ts';
import { suggestions } from './suggestions.ts';
import { plan } from './writer.ts';

/** What the newest attempt at a stage came to, if it has ended. */
export const stageStates = [...stepStatuses, 'running'] as const;

const stateRow = z.object({
  article_id: z.string(),
  status: z.enum(articleStatuses),
  score: z.number().nullable(),
  duplicate_of: z.string().nullable(),
  outline: plan.nullable(),
  suggestions: suggestions.nullable(),
  sources: articleRow.shape.sources,
  stages: z.array(
    z.object({
      stage: z.enum(stages),
      status: z.enum(stageStates),
      run_id: z.string(),
      finished_at: z.string().nullable(),
    }),
  ),
  rejected_at: timestamp.nullable(),
  rejected_by: personRow.nullable(),
  rejected_reason: z.string().nullable(),
});

export type ArticleState = z.infer<typeof stateRow>;

/** Without tags and a category that were deleted since. */
const suggested = sql.fragment`p.suggestions || jsonb_build_object(
  'tag_ids', (
    select coalesce(jsonb_agg(t.id order by s.place), '[]')
    from jsonb_array_elements_text(p.suggestions->'tag_ids') with ordinality as s (id, place)
    join tags t on t.id = s.id::uuid and t.site_id = a.site_id
  ),
  'category_id', (
    select c.id from categories c where c.id = (p.suggestions->>'category_id')::uuid and c.site_id = a.site_id
  )
)`;

/**
 * What the pipeline knows of an article.
 *
 * @throws ServiceError NOT_FOUND also for an article that never was in the pipeline
 */
export async function getArticleState(
  db: Queryable,
  siteId: string,
  articleId: string,
): Promise<ArticleState> {
  const state = await db.maybeOne(sql.type(stateRow)`
    select a.id as article_id, a.status, p.score, d.id as duplicate_of, p.outline, ${suggested} as suggestions,
      a.sources, p.rejected_at,
      ${person(sql.fragment`p.rejected_by`)} as rejected_by, p.rejected_reason,
      (
        select coalesce(jsonb_agg(n order by array_position(${array([...stages], 'text')}, n.stage)), '[]')
        from (
          select distinct on (s.stage) s.stage, s.status, s.run_id, s.finished_at
          from (
            select stage, status, run_id, created_at as finished_at, attempt from pipeline_steps where article_id = a.id
            union all
            select open_stage, 'running', run_id, null, null from pipeline_run_articles
            where article_id = a.id and held and open_stage is not null
          ) s
          order by s.stage, s.finished_at desc nulls first, s.attempt desc
        ) n
      ) as stages
    from articles a left join pipeline_articles p on p.article_id = a.id
    left join articles d on d.id = p.duplicate_of
    where a.id = ${articleId} and a.site_id = ${siteId}
      and (p.article_id is not null or a.status = any(${array([...pipelineStatuses], 'text')}))`);
  if (state === null) throw notFound('article of the pipeline');
  return state;
}
