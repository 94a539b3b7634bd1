import { presentVoice } from '../../../domain/voice/present.ts';
import { changeVoice, getVoiceForUpdate, readVoice, versionOfVoice } from '../../../domain/voice/voice.ts';
import type { Voice } from '../../../domain/voice/voice.ts';
import { operation } from '../../framework/operation.ts';
import { ok } from '../../framework/reply.ts';
import type { Reply } from '../../framework/reply.ts';
import { VoiceShape, VoiceUpdate } from './schema.ts';

const access = { scope: 'prompts:write', permission: 'prompts.manage' } as const;

const shown = (voice: Voice): Reply => ok(presentVoice(voice), { version: versionOfVoice(voice) });

const read = operation({
  id: 'getVoice',
  method: 'GET',
  path: '/pipeline/voice',
  summary: 'Read the voice of the blog',
  description:
    'How the Site wants the pipeline to write. Prompts get it as `{{voice}}`, with the beginnings of the sample articles.',
  access: { ...access, rateClass: 'read' },
  answers: { 200: VoiceShape },
  async handle({ db, site }) {
    return shown(await readVoice(db, site.id));
  },
});

const update = operation({
  id: 'updateVoice',
  method: 'PATCH',
  path: '/pipeline/voice',
  summary: 'Set the voice of the blog',
  description:
    'Only the members that you send change. It applies from the next stage that begins. With `If-Match`, a newer version is 412.',
  access: { ...access, rateClass: 'write' },
  body: VoiceUpdate,
  conditional: true,
  answers: { 200: VoiceShape },
  async handle({ tx, site, actor, body, ifMatch, now }) {
    const current = await getVoiceForUpdate(tx, site.id);
    ifMatch(versionOfVoice(current));
    return shown(await changeVoice({ tx, site, actor, now }, current, body));
  },
});

export const voiceOperations = [read, update];
