import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { createClientDocuments } from '../../adapters/oauth/client-documents.ts';
import type { ClientDocuments } from '../../adapters/oauth/client-documents.ts';
import { parseAllowedHosts } from '../../runtime/allowed-hosts.ts';
import type { Answer, TestApi } from './api.ts';
import { createAuthority } from './certificates.ts';
import type { Page, PageVisitor } from './page.ts';
import { startSignInStack } from './sign-in.ts';
import type { SignInCase, SignInStack } from './sign-in.ts';

/** What a host of clients answers at a path. */
export interface Served {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A host with metadata documents of clients, over TLS. */
export interface ClientHost {
  readonly origin: string;
  /** The port reader of an API that may reach it. */
  readonly clients: ClientDocuments;
  /** The paths that were read. */
  readonly read: string[];
  serve(path: string, served: Served): string;
  /** Serves a valid document. @returns the id of its client */
  client(values?: object): string;
  close(): Promise<void>;
}

export const CALLBACK = 'https://client.example/callback';

export async function startClientHost(): Promise<ClientHost> {
  const authority = createAuthority();
  const { certificate: cert, key } = authority.issue('DNS:localhost');
  const pages = new Map<string, Served>();
  const read: string[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    const path = request.url ?? '';
    read.push(path);
    const {
      status = 200,
      headers = { 'content-type': 'application/json' },
      body,
    } = pages.get(path) ?? {
      status: 404,
      body: '',
    };
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  const origin = `https://${host}`;
  const allowedHosts = parseAllowedHosts(host);
  const http = createGuardedClient({ allowedHosts, ca: readFileSync(authority.file) });
  let served = 0;
  const serve = (path: string, page: Served): string => {
    pages.set(path, page);
    return origin + path;
  };
  return {
    origin,
    clients: createClientDocuments(http, allowedHosts),
    read,
    serve,
    client(values = {}) {
      const path = `/client-${(served += 1)}.json`;
      const document = { client_id: origin + path, client_name: 'A program', redirect_uris: [CALLBACK] };
      return serve(path, { body: JSON.stringify({ ...document, ...values }) });
    },
    async close() {
      await http.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      authority.remove();
    },
  };
}

/** An API with a frozen clock, and a host with clients. */
export interface OAuthStack extends SignInStack {
  readonly host: ClientHost;
  /** For one test: a new tenant, with a person who has signed in. */
  nextPerson(): Promise<SignInCase>;
  close(): Promise<void>;
}

export async function startOAuthStack(): Promise<OAuthStack> {
  const host = await startClientHost();
  const stack = await startSignInStack({ oauthClients: host.clients });
  return {
    ...stack,
    host,
    async nextPerson() {
      const next = await stack.nextCase();
      await next.visitor.signIn(next.person.email, next.person.password);
      return next;
    },
    async close() {
      await stack.api.close();
      await host.close();
    },
  };
}

/** A verifier of PKCE, and its challenge. */
export function pkce(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The address of the consent page. @param changes of the query; null leaves a parameter out */
export function authorizePath(
  api: Pick<TestApi, 'origin'>,
  clientId: string,
  challenge: string,
  changes: Readonly<Record<string, string | null>> = {},
): string {
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    state: 'a state',
    scope: 'articles:read articles:write',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${api.origin}/mcp`,
    ...changes,
  };
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null);
  return `/oauth/authorize?${new URLSearchParams(given).toString()}`;
}

/** Opens the consent page, and decides. */
export async function decide(
  visitor: PageVisitor,
  path: string,
  siteId: string,
  action: 'approve' | 'deny' = 'approve',
  more: Readonly<Record<string, string>> = {},
): Promise<Page> {
  const shown = await visitor.visit(path);
  if (shown.status !== 200) throw new Error(`expected the consent page, got ${shown.status}: ${shown.html}`);
  return await visitor.submit(path, { do: action, site_id: siteId, ...more });
}

/** The parameters of the redirect to the client. */
export const redirected = ({ headers }: Page): Record<string, string> =>
  Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);

/** Sends a form to one of the endpoints for programs. */
export const send = (
  api: Pick<TestApi, 'request' | 'origin'>,
  path: '/oauth/token' | '/oauth/revoke',
  fields: Readonly<Record<string, string>>,
): Promise<Answer> =>
  api.request('POST', api.origin + path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

export const refresh = (
  api: Pick<TestApi, 'request' | 'origin'>,
  clientId: string,
  token: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  send(api, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: token,
    ...more,
  });

/** A code that a person has approved, and all that its client needs for the exchange. */
export async function approvedCode(
  { api, host }: Pick<OAuthStack, 'api' | 'host'>,
  { visitor, tenant }: SignInCase,
  changes: Readonly<Record<string, string | null>> = {},
  fields: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const { verifier, challenge } = pkce();
  const clientId = host.client();
  const path = authorizePath(api, clientId, challenge, changes);
  const done = await decide(visitor, path, tenant.siteId, 'approve', fields);
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: redirected(done)['code'] ?? '',
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  };
}
