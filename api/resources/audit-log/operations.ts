import { listAuditLog } from '../../../domain/audit/log.ts';
import { presentAuditRow } from '../../../domain/audit/present.ts';
import { listOperation } from '../../framework/list-operation.ts';
import { AuditLogPage, AuditLogQuery } from './schema.ts';

const list = listOperation({
  id: 'listAuditLog',
  path: '/audit-log',
  summary: 'List the audit log, newest first',
  description:
    'Records every write that took effect, successful and failed sign-ins, and the actions of the operator, for the Site, its organisation and the platform. It does not record comments submitted by readers, /ping, webhook test pings and upload reservations.',
  access: { scope: 'meta:read', permission: 'audit.read', rateClass: 'read' },
  query: AuditLogQuery,
  answer: AuditLogPage,
  read: ({ db, site, query: { cursor, limit, ...filters } }) =>
    listAuditLog(db, site, filters, { cursor, limit }),
  present: presentAuditRow,
});

export const auditLogOperations = [list];
