import { presentSite } from '../../../domain/sites/present.ts';
import {
  changeSiteSettings,
  getSiteSettingsForUpdate,
  readSiteSettings,
} from '../../../domain/sites/settings.ts';
import type { SiteSettings } from '../../../domain/sites/settings.ts';
import { operation } from '../../framework/operation.ts';
import { peopleOnly } from '../../framework/people-only.ts';
import { ok } from '../../framework/reply.ts';
import { SiteShape, SiteWrite } from './schema.ts';

const read = operation({
  id: 'getSite',
  method: 'GET',
  path: '/site',
  summary: 'Describe the Site of the key',
  description: 'Scheduling times without an offset are in its `timezone`.',
  access: { scope: 'meta:read', permission: null, rateClass: 'read', publishable: true },
  answers: { 200: SiteShape },
  async handle({ db, site, ports }) {
    const settings = await readSiteSettings(db, site.id);
    return ok(presentSite(settings, ports.publicUrl), { version: settings.version });
  },
});

const update = operation({
  id: 'updateSite',
  method: 'PATCH',
  path: '/site',
  summary: 'Update the settings of the Site',
  description: 'Keys held by an agent are rejected, even with an approval.',
  access: {
    scope: 'keys:write',
    permission: 'settings.manage',
    rateClass: 'write',
    refuse: peopleOnly('change the settings of the Site'),
  },
  body: SiteWrite,
  conditional: true,
  answers: { 200: SiteShape },
  errors: ['FORBIDDEN'],
  async handle({ tx, site, actor, body, ifMatch, purging, now, ports }) {
    const current = await getSiteSettingsForUpdate(tx, site.id);
    ifMatch(current.version);
    const shown = (saved: SiteSettings) => presentSite(saved, ports.publicUrl);
    const settings = await changeSiteSettings({ tx, site, actor, now }, purging, current, body, shown);
    return ok(shown(settings), { version: settings.version });
  },
});

export const siteOperations = [read, update];
