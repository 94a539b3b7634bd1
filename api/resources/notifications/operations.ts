import { listNotifications, markRead } from '../../../domain/notifications/notification.ts';
import type { ReadMark } from '../../../domain/notifications/notification.ts';
import { presentNotification } from '../../../domain/notifications/present.ts';
import {
  changeNotificationSettings,
  readNotificationSettings,
} from '../../../domain/notifications/settings.ts';
import type { NotificationSettings } from '../../../domain/notifications/settings.ts';
import { listOperation } from '../../framework/list-operation.ts';
import { operation } from '../../framework/operation.ts';
import type { Access } from '../../framework/operation.ts';
import { peopleOnly } from '../../framework/people-only.ts';
import { noContent, ok } from '../../framework/reply.ts';
import { versionOfBody } from '../../http/preconditions.ts';
import {
  NotificationPage,
  NotificationQuery,
  NotificationSettingsShape,
  NotificationSettingsWrite,
  NotificationsRead,
} from './schema.ts';

const reading: Access = {
  scope: 'meta:read',
  permission: null,
  rateClass: 'read',
  refuse: peopleOnly('read notifications'),
};
const writing: Access = { ...reading, rateClass: 'write', forDrafts: true };

const list = listOperation({
  id: 'listNotifications',
  path: '/notifications',
  summary: 'List what the key’s person was told, newest first',
  description:
    'Of all Sites of the organisation, for 90 days, at most 1,000. Keys held by an agent are rejected.',
  access: reading,
  query: NotificationQuery,
  answer: NotificationPage,
  errors: ['FORBIDDEN'],
  read: ({ db, site, caller, query: { unread, ...page } }) =>
    listNotifications(db, site, caller.memberId, unread === 'true', page),
  present: (row, { ports, site }) => presentNotification(row, ports.publicUrl, site.id),
});

const read = operation({
  id: 'markNotificationsRead',
  method: 'POST',
  path: '/notifications/read',
  summary: 'Mark notifications as read',
  description: 'By their ids, or all that came before a time.',
  access: writing,
  body: NotificationsRead,
  answers: { 204: null },
  errors: ['FORBIDDEN'],
  async handle({ tx, site, caller, actor, body, now }) {
    await markRead({ tx, site, actor, now }, caller.memberId, body as ReadMark);
    return noContent();
  },
});

const versionOf = (settings: NotificationSettings): string => versionOfBody(JSON.stringify(settings));

const readSettings = operation({
  id: 'getNotificationSettings',
  method: 'GET',
  path: '/notifications/settings',
  summary: 'Read how the key’s person is told by mail',
  description: 'Whether there is mail, how often it comes, and which kinds are kept out of it.',
  access: reading,
  answers: { 200: NotificationSettingsShape },
  errors: ['FORBIDDEN'],
  async handle({ db, caller }) {
    const settings = await readNotificationSettings(db, caller.memberId);
    return ok(settings, { version: versionOf(settings) });
  },
});

const updateSettings = operation({
  id: 'updateNotificationSettings',
  method: 'PATCH',
  path: '/notifications/settings',
  summary: 'Change how the key’s person is told by mail',
  description: 'Nothing keeps `security.*` from being sent.',
  access: writing,
  body: NotificationSettingsWrite,
  answers: { 200: NotificationSettingsShape },
  headers: ['ETag'],
  errors: ['FORBIDDEN'],
  async handle({ tx, site, caller, actor, body, now }) {
    const settings = await changeNotificationSettings({ tx, site, actor, now }, caller.memberId, body);
    return ok(settings, { version: versionOf(settings) });
  },
});

export const notificationOperations = [list, read, readSettings, updateSettings];
