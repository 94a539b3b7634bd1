import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { AuditLogEntry } from '../../../sdk/src/index.ts';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { screenTexts } from './text.ts';

/** The changed object, as a link if it has a screen. */
export function Target({ target }: { readonly target: AuditLogEntry['target'] }): ReactNode {
  const { id: siteId } = useSite();
  const { targets } = useText(screenTexts);
  if (target === null) return null;
  const { type, id } = target;
  const known: Readonly<Record<string, string>> = targets;
  const name = known[type] ?? type;
  if (id === null) return name;
  const label = `${name} ${id.slice(-8)}`;
  switch (type) {
    case 'article':
      return (
        <Link to="/$siteId/articles/$articleId" params={{ siteId, articleId: id }}>
          {label}
        </Link>
      );
    case 'webhook':
      return (
        <Link to="/$siteId/webhooks/$webhookId" params={{ siteId, webhookId: id }}>
          {label}
        </Link>
      );
    case 'approval':
      return (
        <Link to="/$siteId/approvals/$approvalId" params={{ siteId, approvalId: id }}>
          {label}
        </Link>
      );
    case 'bulk_job':
      return (
        <Link to="/$siteId/bulk/$jobId" params={{ siteId, jobId: id }}>
          {label}
        </Link>
      );
    case 'pipeline_run':
      return (
        <Link to="/$siteId/runs/$runId" params={{ siteId, runId: id }}>
          {label}
        </Link>
      );
    case 'member':
      return (
        <Link to="/$siteId/team" params={{ siteId }}>
          {label}
        </Link>
      );
    case 'key':
      return (
        <Link to="/$siteId/keys" params={{ siteId }}>
          {label}
        </Link>
      );
    default:
      return label;
  }
}
