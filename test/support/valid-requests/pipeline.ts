import { inPipeline, name, run } from '../home.ts';
import type { Build } from './valid-request.ts';

export const pipelineRequests: Readonly<Record<string, Build>> = {
  'GET /pipeline/prompts': async ({ send }) => {
    const template = `A template: ${name()}`;
    await send('PATCH', '/pipeline/prompts/plan', { template });
    return { path: '/pipeline/prompts', shows: template };
  },
  'PATCH /pipeline/prompts/:stage': () => ({
    path: '/pipeline/prompts/plan',
    body: { template: name() },
    elsewhere: 'OK',
    audit: 'prompt.save',
  }),
  'DELETE /pipeline/prompts/:stage': async ({ send }) => {
    await send('PATCH', '/pipeline/prompts/classify', { template: name() });
    return { path: '/pipeline/prompts/classify', audit: 'prompt.reset' };
  },
  'GET /pipeline/prompts/:stage/versions': async ({ send }) => {
    const template = `A template: ${name()}`;
    await send('PATCH', '/pipeline/prompts/plan', { template });
    return { path: '/pipeline/prompts/plan/versions', shows: template, elsewhere: 'OK' };
  },
  'POST /pipeline/prompts/:stage/try': () => ({
    path: '/pipeline/prompts/classify/try',
    body: { topic: { title: name() }, render_only: false },
    elsewhere: 'OK',
    // It takes of the credits that the organisation's Sites share.
    ofOrganisation: true,
    audit: 'prompt.try',
  }),
  'GET /pipeline/voice': async ({ send }) => {
    const audience = name();
    await send('PATCH', '/pipeline/voice', { audience });
    return { path: '/pipeline/voice', shows: audience };
  },
  'PATCH /pipeline/voice': () => ({
    path: '/pipeline/voice',
    body: { tone: name() },
    elsewhere: 'OK',
    audit: 'voice.update',
  }),
  'GET /usage': () => ({ path: '/usage' }),
  'GET /usage/ledger': () => ({ path: '/usage/ledger' }),
  'POST /pipeline/runs': async (home) => ({
    path: '/pipeline/runs',
    body: { article_ids: [await inPipeline(home, 'discovered')] },
    elsewhere: '422 VALIDATION_FAILED',
    audit: 'pipeline.run',
  }),
  'GET /pipeline/runs': async (home) => ({ path: '/pipeline/runs', shows: (await run(home)).id }),
  'GET /pipeline/runs/:id': async (home) => ({ path: `/pipeline/runs/${(await run(home)).id}` }),
  'GET /pipeline/runs/:id/steps': async (home) => ({
    path: `/pipeline/runs/${(await run(home)).id}/steps`,
  }),
  'POST /pipeline/runs/:id/cancel': async (home) => ({
    path: `/pipeline/runs/${(await run(home)).id}/cancel`,
    audit: 'pipeline.cancel',
  }),
  'GET /pipeline/articles/:id': async (home) => ({
    path: `/pipeline/articles/${await inPipeline(home, 'failed')}`,
  }),
  'POST /pipeline/articles/:id/requeue': async (home) => ({
    path: `/pipeline/articles/${await inPipeline(home, 'failed')}/requeue`,
    audit: 'article.requeue',
  }),
  'POST /pipeline/articles/:id/reject': async (home) => ({
    path: `/pipeline/articles/${await inPipeline(home, 'failed')}/reject`,
    body: { reason: 'Not for us.' },
    audit: 'article.reject',
  }),
};
