import {
  changeSettings,
  getSettingsForUpdate,
  readSettingsOf,
} from '../../../domain/organisations/settings.ts';
import { presentSettings } from '../../../domain/organisations/present.ts';
import { operation } from '../../framework/operation.ts';
import { peopleOnly } from '../../framework/people-only.ts';
import { ok } from '../../framework/reply.ts';
import { OrganisationShape, OrganisationWrite } from './schema.ts';

const read = operation({
  id: 'getOrganisation',
  method: 'GET',
  path: '/organisation',
  summary: 'Read the settings of the organisation',
  description: 'The settings of the organisation to which the Site of the key belongs.',
  access: { scope: 'meta:read', permission: 'settings.manage', rateClass: 'read' },
  answers: { 200: OrganisationShape },
  async handle({ db, site }) {
    const settings = await readSettingsOf(db, site.organisationId);
    return ok(presentSettings(settings), { version: settings.version });
  },
});

const update = operation({
  id: 'updateOrganisation',
  method: 'PATCH',
  path: '/organisation',
  summary: 'Update the settings of the organisation, for all its Sites',
  description: 'Keys held by an agent are rejected, even with an approval.',
  access: {
    scope: 'keys:write',
    permission: 'settings.manage',
    rateClass: 'write',
    // The settings control the rights of agents.
    refuse: peopleOnly('change the settings of the organisation'),
  },
  body: OrganisationWrite,
  conditional: true,
  answers: { 200: OrganisationShape },
  errors: ['FORBIDDEN'],
  async handle({ tx, site, actor, body, ifMatch, now }) {
    const current = await getSettingsForUpdate(tx, site.organisationId);
    ifMatch(current.version);
    const settings = await changeSettings({ tx, actor, now }, current, body);
    return ok(presentSettings(settings), { version: settings.version });
  },
});

export const organisationOperations = [read, update];
