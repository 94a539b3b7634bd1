import { listAuditLog, presentAuditRow } from '../../domain/audit-log.ts';
import { operation } from '../operation.ts';
import { page } from '../reply.ts';
import { AuditLogPage, AuditLogQuery } from './schema.ts';

const list = operation({
  method: 'GET',
  path: '/audit-log',
  summary: 'List what was changed, newest first',
  description:
    'Changes of access, money, settings and the visibility of comments: those of the Site, and those of its organisation as a whole.',
  group: 'Audit log',
  access: { scope: 'meta:read', permission: 'audit.read', rateClass: 'read', publishable: false },
  query: AuditLogQuery,
  answers: { 200: AuditLogPage },
  errors: [],
  async handle({ db, site, query }) {
    return page(await listAuditLog(db, site, query), presentAuditRow);
  },
});

export const auditLogOperations = [list];
