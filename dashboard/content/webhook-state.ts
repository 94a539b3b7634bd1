import type { Webhook } from '../../sdk/src/index.ts';

export type WebhookState = 'active' | 'failing' | 'disabled' | 'paused';

/** How an endpoint is: `paused` was switched off by a person, `disabled` by its failures. */
export function stateOf({
  enabled,
  disabled_reason: reason,
  consecutive_failures: failures,
}: Webhook): WebhookState {
  if (!enabled) return reason === 'disabled by request' ? 'paused' : 'disabled';
  return failures > 0 ? 'failing' : 'active';
}
