import { listAuditLog } from '../../domain/audit/log.ts';
import { presentAuditRow } from '../../domain/audit/present.ts';
import { operation } from '../operation.ts';
import { page } from '../reply.ts';
import { AuditLogPage, AuditLogQuery } from './schema.ts';

const list = operation({
  id: 'listAuditLog',
  method: 'GET',
  path: '/audit-log',
  summary: 'List the audit log, newest first',
  description:
    'Records every write that took effect, successful and failed sign-ins, and the actions of the operator, for the Site, its organisation and the platform. It does not record comments submitted by readers, /ping, webhook test pings and upload reservations.',
  group: 'Audit log',
  access: { scope: 'meta:read', permission: 'audit.read', rateClass: 'read', publishable: false },
  query: AuditLogQuery,
  answers: { 200: AuditLogPage },
  errors: [],
  async handle({ db, site, query: { cursor, limit, ...filters } }) {
    return page(await listAuditLog(db, site, filters, { cursor, limit }), presentAuditRow);
  },
});

export const auditLogOperations = [list];
