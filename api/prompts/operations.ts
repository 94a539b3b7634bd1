import { ServiceError } from '../../domain/errors.ts';
import { defaultTemplates } from '../../domain/prompts/default-templates.ts';
import { listOverrides } from '../../domain/prompts/effective.ts';
import type { PromptOverride } from '../../domain/prompts/effective.ts';
import { isPromptStage, promptStages } from '../../domain/prompts/stages.ts';
import type { PromptStage } from '../../domain/prompts/stages.ts';
import { missingPlaceholders, placeholdersOf } from '../../domain/prompts/template.ts';
import { listVersions, resetPrompt, savePrompt } from '../../domain/prompts/versions.ts';
import { operation } from '../operation.ts';
import type { Access } from '../operation.ts';
import { noContent, ok, page } from '../reply.ts';
import { PromptSaved, PromptVersionPage, Prompts, PromptWrite, VersionQuery } from './schema.ts';

const group = 'Prompts';
const access = { scope: 'prompts:write', permission: 'prompts.manage', publishable: false } as const;
const reading: Access = { ...access, rateClass: 'read' };
const writing: Access = { ...access, rateClass: 'write' };

/** @throws ServiceError NOT_FOUND for a stage that there is not */
function stageOf(params: Readonly<Record<string, string>>): PromptStage {
  const name = params['stage'] as string;
  if (isPromptStage(name)) return name;
  throw new ServiceError('NOT_FOUND', `There is no such stage. Stages are ${promptStages.join(', ')}.`);
}

function present(stage: PromptStage, override: PromptOverride | undefined) {
  const template = defaultTemplates[stage];
  return {
    stage,
    default: { template },
    placeholders: placeholdersOf(template),
    override: override
      ? {
          template: override.template,
          version: override.version,
          missing_placeholders: missingPlaceholders(stage, override.template),
          updated_at: override.created_at.toISOString(),
        }
      : null,
    effective: override ? 'override' : 'default',
  };
}

const list = operation({
  method: 'GET',
  path: '/pipeline/prompts',
  summary: 'Read the prompts of all stages',
  group,
  access: reading,
  answers: { 200: Prompts },
  errors: [],
  async handle({ db, site }) {
    const overrides = await listOverrides(db, site.id);
    return ok(Object.fromEntries(promptStages.map((stage) => [stage, present(stage, overrides.get(stage))])));
  },
});

const save = operation({
  method: 'PATCH',
  path: '/pipeline/prompts/:stage',
  summary: 'Save a template for a stage, as a new version',
  description:
    'Applies from the next article written at that stage. Placeholders of the default that it leaves out are listed, and it is saved all the same.',
  group,
  access: writing,
  textParams: ['stage'],
  body: PromptWrite,
  answers: { 200: PromptSaved },
  errors: [],
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
  method: 'DELETE',
  path: '/pipeline/prompts/:stage',
  summary: 'Go back to the platform’s template for a stage',
  description: 'The versions that were saved stay readable, and numbers go on after them.',
  group,
  access: writing,
  textParams: ['stage'],
  answers: { 204: null },
  errors: [],
  async handle({ tx, site, actor, params, now }) {
    await resetPrompt({ tx, site, actor, now }, stageOf(params));
    return noContent();
  },
});

const versions = operation({
  method: 'GET',
  path: '/pipeline/prompts/:stage/versions',
  summary: 'List the templates that were saved for a stage, newest first',
  group,
  access: reading,
  textParams: ['stage'],
  query: VersionQuery,
  answers: { 200: PromptVersionPage },
  errors: [],
  async handle({ db, site, params, query }) {
    const stage = stageOf(params);
    return page(await listVersions(db, site, stage, query), ({ version, template, created_at: at }) => ({
      version,
      template,
      missing_placeholders: missingPlaceholders(stage, template),
      created_at: at.toISOString(),
    }));
  },
});

export const promptOperations = [list, save, reset, versions];
