import type { Caller } from '../../../domain/access/authenticate.ts';
import { roleAllows } from '../../../domain/access/permissions.ts';
import { versionOfArticles } from '../../../domain/articles/versions.ts';
import { refuseWithoutEntitlement } from '../../../domain/kernel/entitlement.ts';
import { ServiceError } from '../../../domain/kernel/errors.ts';
import { chooseTried } from '../../../domain/pipeline/choose-tried.ts';
import { closeTry, openTry } from '../../../domain/pipeline/prompt-tries.ts';
import type { OpenTry } from '../../../domain/pipeline/prompt-tries.ts';
import { findPrompt } from '../../../domain/prompts/effective.ts';
import { missingPlaceholders } from '../../../domain/prompts/template.ts';
import type { StageToTry, TriedStage } from '../../../adapters/writer/try-stage.ts';
import { operation } from '../../framework/operation.ts';
import type { Ports } from '../../framework/ports.ts';
import { ok } from '../../framework/reply.ts';
import { stageOf, textParams } from './operations.ts';
import { PromptTried, PromptTry } from './schema.ts';

/** Besides what prompts need: a try may start the writer, as a run does. */
function refuseWhoMayNotRun({ scopes, role }: Caller): ServiceError | null {
  if (scopes.includes('pipeline:run') && role !== null && roleAllows(role, 'pipeline.run')) return null;
  return new ServiceError(
    'INSUFFICIENT_SCOPE',
    'This operation also needs the scope pipeline:run and the permission pipeline.run.',
  );
}

/** @throws ServiceError NOT_ENTITLED for a try that is paid for */
function requireEntitlement(
  caller: Caller,
  { render_only: renderOnly }: { readonly render_only: boolean },
): void {
  const refused = renderOnly ? null : refuseWithoutEntitlement(caller);
  if (refused !== null) throw refused;
}

const tryPrompt = operation({
  id: 'tryPrompt',
  method: 'POST',
  path: '/pipeline/prompts/:stage/try',
  summary: 'Try a prompt on an article or a topic',
  description:
    'Shows the prompt that the writer would get, which is free and fetches nothing. With `render_only: false` it also asks the writer: that passes the gates of `POST /pipeline/runs` and costs what the stage costs, unless it fails. Nothing is stored. An `Idempotency-Key` is ignored.',
  access: {
    scope: 'prompts:write',
    permission: 'prompts.manage',
    rateClass: 'pipeline',
    refuse: refuseWhoMayNotRun,
  },
  textParams,
  body: PromptTry,
  approval: {
    actions: ['prompt.try'],
    async target({ tx, site, caller, params, body }) {
      const stage = stageOf(params);
      requireEntitlement(caller, body);
      const { article_id: articleId, template } = body;
      if (articleId === undefined && template !== undefined) return null;
      const article = articleId === undefined ? '' : await versionOfArticles(tx, site.id, [articleId]);
      const prompt = template === undefined ? (await findPrompt(tx, site.id, stage)).version : null;
      return { version: `${article} ${prompt ?? 'default'}` };
    },
  },
  answers: { 200: PromptTried },
  errors: ['NOT_ENTITLED', 'INSUFFICIENT_CREDITS', 'SPEND_CAP_REACHED'],
  async handle({ tx, site, actor, caller, params, body, ports, now }) {
    const stage = stageOf(params);
    requireEntitlement(caller, body);
    const { told, urls } = await chooseTried(tx, site.id, stage, body, now);
    const template = body.template ?? (await findPrompt(tx, site.id, stage)).template;
    const opened = body.render_only ? null : await openTry({ tx, site, actor, now }, stage);
    const { id: siteId, domain } = site;
    const what = { siteId, domain, stage, template, told, urls, renderOnly: body.render_only };
    return {
      status: 200,
      later: async (gone) => {
        const { tried, spent } = await finish(ports, { ...what, signal: gone }, opened);
        return ok({
          rendered: tried.rendered,
          missing_placeholders: missingPlaceholders(stage, template),
          answer: tried.answer,
          valid: tried.valid,
          problems: tried.problems,
          tokens: tried.tokens,
          credits_spent: spent,
        });
      },
    };
  },
});

/** Tries it, and settles what was paid. */
async function finish(
  { db, clock, tryStage }: Ports,
  what: StageToTry,
  opened: OpenTry | null,
): Promise<{ readonly tried: TriedStage; readonly spent: number }> {
  const settle = async (failedCalls: number | null): Promise<number> =>
    opened === null ? 0 : db.transaction((tx) => closeTry(tx, opened, failedCalls, clock.now()));
  let tried: TriedStage;
  try {
    tried = await tryStage(what);
  } catch (error) {
    await settle(0);
    throw error;
  }
  return { tried, spent: await settle(tried.valid ? null : tried.failedCalls) };
}

export const promptTryOperations = [tryPrompt];
