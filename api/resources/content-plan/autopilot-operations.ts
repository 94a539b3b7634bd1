import { presentAutopilot } from '../../../domain/autopilot/present.ts';
import { getAutopilotForUpdate, readAutopilot, updateAutopilot } from '../../../domain/autopilot/settings.ts';
import { operation } from '../../framework/operation.ts';
import { ok } from '../../framework/reply.ts';
import { AutopilotShape, AutopilotUpdate } from './autopilot-schema.ts';

const read = operation({
  id: 'getAutopilot',
  method: 'GET',
  path: '/content-plan/autopilot',
  summary: 'Read the autopilot of the content plan',
  description:
    'When it starts runs by itself, and what became of the last time: `last.error` is what the gates of a run refused.',
  access: { scope: 'pipeline:read', permission: 'pipeline.read', rateClass: 'read' },
  object: true,
  answers: { 200: AutopilotShape },
  async handle({ db, site }) {
    return ok(presentAutopilot(await readAutopilot(db, site.id)));
  },
});

const update = operation({
  id: 'updateAutopilot',
  method: 'PATCH',
  path: '/content-plan/autopilot',
  summary: 'Set the autopilot of the content plan',
  description:
    'While it is enabled, it starts a run with the first approved items of the plan on the given weekdays. Each run passes the gates of `POST /pipeline/runs`, and costs what such a run costs.',
  access: { scope: 'pipeline:run', permission: 'pipeline.run', rateClass: 'write' },
  body: AutopilotUpdate,
  approval: {
    actions: ['autopilot.update'],
    target: async ({ tx, site }) => ({ version: (await getAutopilotForUpdate(tx, site.id)).revision }),
  },
  answers: { 200: AutopilotShape },
  async handle({ tx, site, actor, body, now }) {
    const current = await getAutopilotForUpdate(tx, site.id);
    return ok(presentAutopilot(await updateAutopilot({ tx, site, actor, now }, current, body)));
  },
});

export const autopilotOperations = [read, update];
