import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { Approval } from '../../../sdk/src/index.ts';
import { useItem } from '../../api/item.ts';
import { useSite } from '../../api/site.ts';
import { isolated } from '../../text/isolated.ts';
import { useText } from '../../text/texts.ts';
import { screenTexts } from './text.ts';

export interface AgentProps {
  readonly agent: Approval['requested_by'];
}

/** The agent that asked: the name of its key, and how it got that. */
export function Agent({ agent }: AgentProps): ReactNode {
  const { id: siteId } = useSite();
  const { detail: text } = useText(screenTexts);
  const origin = useOrigin(agent.id);
  return (
    <>
      <Link to="/$siteId/keys" params={{ siteId }}>
        <bdi>{agent.name}</bdi>
      </Link>
      {origin !== null && (
        <div>
          {origin.client === null
            ? text[origin.way](isolated(origin.person))
            : text.oauth(isolated(origin.client), isolated(origin.person))}
        </div>
      )}
    </>
  );
}

interface Origin {
  /** Who let the agent in: a person, or another key. */
  readonly person: string;
  readonly way: 'device' | 'key';
  /** The client that a person gave access to on its own page. */
  readonly client: string | null;
}

/** The audit log alone says where a key came from; null until it is read, and if it does not say. */
function useOrigin(keyId: string): Origin | null {
  const { rights } = useSite();
  const { data } = useItem({
    key: ['audit-log', 'origin', keyId],
    load: async (presswork, options): Promise<{ origin: Origin | null }> => {
      const created = { action: 'key.create', target_id: keyId, limit: 1 };
      const entry = (await presswork.auditLog.list(created, options)).items[0];
      if (entry === undefined) return { origin: null };
      const { oauth_grant: grantId, device_sign_in: device } = entry.details;
      const origin = { person: entry.actor.name, way: device ? 'device' : 'key', client: null } as const;
      if (typeof grantId !== 'string') return { origin };
      const approved = { action: 'oauth_grant.approve', target_id: grantId, limit: 1 };
      const grant = (await presswork.auditLog.list(approved, options)).items[0];
      const { client_id: client } = grant?.details ?? {};
      return { origin: { ...origin, client: typeof client === 'string' ? hostOf(client) : null } };
    },
    enabled: rights.administers,
  });
  return data?.origin ?? null;
}

/** A client is known by its address: it may call itself anything. */
const hostOf = (client: string): string => URL.parse(client)?.host ?? client;
