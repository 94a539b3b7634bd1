import type { Context } from 'koa';

const SELF = "form-action 'self'";
/** Policies cannot name an IPv6 address, nor the host of a scheme of a program's own. */
const nameable = /^https?:\/\/[a-z0-9.-]+(?::\d+)?$/;

/**
 * Lets the form of a page be answered with a redirect to a client: browsers apply form-action to redirects too.
 *
 * @param redirectUri of the client's description
 */
export function allowRedirect(ctx: Context, redirectUri: string): void {
  const { origin, protocol } = new URL(redirectUri);
  const policy = ctx.response.get('Content-Security-Policy');
  ctx.set(
    'Content-Security-Policy',
    policy.replace(SELF, `${SELF} ${nameable.test(origin) ? origin : protocol}`),
  );
}
