import { ServiceError } from '../../../domain/kernel/errors.ts';
import { defaultTemplates } from '../../../domain/prompts/default-templates.ts';
import { listOverrides } from '../../../domain/prompts/effective.ts';
import { presentPrompt } from '../../../domain/prompts/present.ts';
import { isPromptStage, promptStages } from '../../../domain/prompts/stages.ts';
import type { PromptStage } from '../../../domain/prompts/stages.ts';
import { missingPlaceholders, placeholdersOf } from '../../../domain/prompts/template.ts';
import {
  listVersions,
  lockActiveVersion,
  resetPrompt,
  savePrompt,
} from '../../../domain/prompts/versions.ts';
import type { PromptVersion } from '../../../domain/prompts/versions.ts';
import { operation } from '../../framework/operation.ts';
import type { Access } from '../../framework/operation.ts';
import { noContent, ok } from '../../framework/reply.ts';
import { weighedPage } from '../../framework/weighed-reply.ts';
import { PageQuery } from '../../framework/schema/query.ts';
import { PromptSaved, PromptVersionPage, Prompts, PromptWrite, stage } from './schema.ts';

const access = { scope: 'prompts:write', permission: 'prompts.manage' } as const;
const reading: Access = { ...access, rateClass: 'read' };
const writing: Access = { ...access, rateClass: 'write' };

export const textParams = { stage: stage.describe('A stage of the pipeline.') };

/** @throws ServiceError NOT_FOUND for an unknown stage */
export function stageOf({ stage }: { readonly stage: string }): PromptStage {
  if (isPromptStage(stage)) return stage;
  throw new ServiceError('NOT_FOUND', `stage: must be one of ${promptStages.join(', ')}.`);
}

const list = operation({
  id: 'listPrompts',
  method: 'GET',
  path: '/pipeline/prompts',
  summary: 'Read the prompts of all stages',
  description:
    'For each stage: the platform’s template, the template of the Site if there is one, and which of them is used.',
  access: reading,
  answers: { 200: Prompts },
  async handle({ db, site }) {
    const overrides = await listOverrides(db, site.id);
    return ok(
      Object.fromEntries(promptStages.map((stage) => [stage, presentPrompt(stage, overrides.get(stage))])),
    );
  },
});

const save = operation({
  id: 'savePrompt',
  method: 'PATCH',
  path: '/pipeline/prompts/:stage',
  summary: 'Save a template for a stage as a new version',
  description:
    'It applies from the next article that reaches the stage. A template without some of the default’s placeholders is saved; missing_placeholders lists them.',
  access: writing,
  textParams,
  body: PromptWrite,
  answers: { 200: PromptSaved },
  async handle({ tx, site, actor, params, body, now }) {
    const stage = stageOf(params);
    const {
      version,
      template,
      created_at: at,
    } = await savePrompt({ tx, site, actor, now }, stage, body.template);
    return ok({
      stage,
      template,
      version,
      placeholders: placeholdersOf(defaultTemplates[stage]),
      missing_placeholders: missingPlaceholders(stage, template),
      updated_at: at.toISOString(),
    });
  },
});

const reset = operation({
  id: 'resetPrompt',
  method: 'DELETE',
  path: '/pipeline/prompts/:stage',
  summary: 'Reset a stage to the platform’s template',
  description: 'Saved versions stay readable, and version numbers continue after them.',
  access: writing,
  textParams,
  approval: {
    actions: ['prompt.reset'],
    target: async ({ tx, site, params }) => ({
      version: await lockActiveVersion(tx, site.id, stageOf(params)),
    }),
  },
  answers: { 204: null },
  async handle({ tx, site, actor, params, now }) {
    await resetPrompt({ tx, site, actor, now }, stageOf(params));
    return noContent();
  },
});

const versions = operation({
  id: 'listPromptVersions',
  method: 'GET',
  path: '/pipeline/prompts/:stage/versions',
  summary: 'List the saved templates of a stage, newest first',
  description: 'Every save is a version, also if nothing changed. The versions stay after a reset.',
  access: reading,
  textParams,
  query: PageQuery,
  answers: { 200: PromptVersionPage },
  async handle({ db, site, params, query }) {
    const stage = stageOf(params);
    const write = ({ version, template, created_at: at }: PromptVersion): string =>
      JSON.stringify({
        version,
        template,
        missing_placeholders: missingPlaceholders(stage, template),
        created_at: at.toISOString(),
      });
    return weighedPage(site, () => listVersions(db, site, stage, query, write));
  },
});

export const promptOperations = [list, save, reset, versions];
