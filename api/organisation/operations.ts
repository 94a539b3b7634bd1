import {
  changeSettings,
  getSettingsForChange,
  presentSettings,
  readSettingsOf,
  refusePersonOnly,
} from '../../domain/organisation-settings.ts';
import { operation } from '../operation.ts';
import { ok } from '../reply.ts';
import { OrganisationShape, OrganisationWrite } from './schema.ts';

const group = 'Organisation';

const read = operation({
  method: 'GET',
  path: '/organisation',
  summary: 'Read the settings of the organisation',
  group,
  access: { scope: 'meta:read', permission: 'settings.manage', rateClass: 'read', publishable: false },
  answers: { 200: OrganisationShape },
  errors: [],
  async handle({ db, site }) {
    const settings = await readSettingsOf(db, site.organisationId);
    return ok(presentSettings(settings), { version: settings.version });
  },
});

const update = operation({
  method: 'PATCH',
  path: '/organisation',
  summary: 'Change the settings of the organisation, for all its Sites',
  description: 'agent_access and approval_operations are not for keys held by agents.',
  group,
  access: { scope: 'keys:write', permission: 'settings.manage', rateClass: 'write', publishable: false },
  body: OrganisationWrite,
  conditional: true,
  answers: { 200: OrganisationShape },
  errors: ['FORBIDDEN'],
  async handle({ tx, site, caller, actor, body, ifMatch, now }) {
    refusePersonOnly(caller.heldByAgent, body);
    const current = await getSettingsForChange(tx, site.organisationId);
    ifMatch(current.version);
    const settings = await changeSettings(tx, actor, current, body, now);
    return ok(presentSettings(settings), { version: settings.version });
  },
});

export const organisationOperations = [read, update];
