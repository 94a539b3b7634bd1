import type { Context, Middleware } from 'koa';
import type { ClientDocuments } from '../../../adapters/oauth/client-documents.ts';
import type { Client } from '../../../domain/oauth/client.ts';
import { denyAccess, grantAccess } from '../../../domain/oauth/consent.ts';
import type { AskedAccess, Consenting } from '../../../domain/oauth/consent.ts';
import { countDocumentRead } from '../../../domain/oauth/limits.ts';
import { isRegistered } from '../../../domain/oauth/redirect-uri.ts';
import { invalidRequest } from '../../../domain/kernel/errors.ts';
import type { Session } from '../../../domain/sign-in/sessions.ts';
import { requestIdOf } from '../../framework/envelope.ts';
import type { Ports } from '../../framework/ports.ts';
import { choosesDrafts } from '../sign-in/drafts-choice.ts';
import { readForm } from '../sign-in/browser.ts';
import { endVisit } from '../sign-in/end-visit.ts';
import { languageOf } from '../sign-in/language.ts';
import { answerPage, redirectTo, refuseMethod, setPageHeaders, visit, visitorOf } from '../sign-in/page.ts';
import type { Visit } from '../sign-in/page.ts';
import { AUTHORIZE, resourceOf } from './addresses.ts';
import { answerUrl, readQuery, readWanted } from './authorization-request.ts';
import type { AuthorizationError, AuthorizationQuery } from './authorization-request.ts';
import { allowRedirect } from './form-action.ts';
import { sitesOf } from './consent-sites.ts';
import type { OwnSite } from './consent-sites.ts';
import { consentTexts } from './texts.ts';
import type { Problem } from './texts.ts';
import { consentView, errorView, problemView, ROOT } from './views.ts';

/**
 * The consent page of OAuth, `{origin}/oauth/authorize`: a person who has signed in sees which program asks for access,
 * and approves or denies for one Site. Rendered on the server, without scripts.
 */
export function consentPage(ports: Ports): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== AUTHORIZE || ctx.method === 'OPTIONS') return next();
    ctx.state.measuredAs = 'consent page';
    const language = languageOf(ctx);
    setPageHeaders(ctx, (error, requestId) => errorView(language, error, requestId));
    const visited = await visit(ports, ctx);
    if (ctx.method === 'POST') return await submit(visited);
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') refuseMethod();
    if (visited.session === null) return redirectToSignIn(ctx);
    const opened = await open(visited, visited.session);
    if (opened !== null) show(visited, opened, { problem: null, draftsOnly: true });
  };
}

/** Leads to the sign-in, and from there back. */
const redirectToSignIn = (ctx: Context): void =>
  redirectTo(ctx, `sign-in?next=${encodeURIComponent(`${AUTHORIZE}?${ctx.querystring}`)}`, ROOT);

async function submit(visited: Visit): Promise<void> {
  const { ports, ctx, token, session } = visited;
  const form = await readForm(ports, ctx, token);
  const action = form.get('do');
  if (action === 'sign-out') {
    await endVisit(visited);
    return redirectToSignIn(ctx);
  }
  if (action !== 'approve' && action !== 'deny') throw invalidRequest('The form does not say what to do.');
  // The session has ended since the form was shown.
  if (session === null) return redirectToSignIn(ctx);
  const opened = await open(visited, session);
  if (opened === null) return;
  const site = opened.sites.find(({ id }) => id === form.get('site_id'));
  if (action === 'deny') return await deny(visited, session, opened, site ?? opened.sites[0]);
  const draftsOnly = choosesDrafts(form);
  if (site === undefined)
    return show(visited, opened, { problem: consentTexts[languageOf(ctx)].chooseSite, draftsOnly });
  await approve(visited, session, opened, site, draftsOnly);
}

/** A request that the person can decide on. */
interface Opened {
  readonly query: AuthorizationQuery;
  readonly client: Client;
  readonly asked: AskedAccess;
  readonly sites: readonly [OwnSite, ...OwnSite[]];
}

/** @returns null after the answer: a page if the client is not known for sure, and a redirect if it made a mistake */
async function open({ ports, ctx, now }: Visit, session: Session): Promise<Opened | null> {
  const query = readQuery(ctx.querystring);
  if (query === null) return explain(ctx, 'query');
  const client = await findClient(ports, session, query.clientId, now);
  if ('failure' in client) return explain(ctx, client.failure, client.detail);
  const { redirectUri, parameters } = query;
  if (!isRegistered(redirectUri, client.redirectUris)) return explain(ctx, 'redirect');
  const sites = sitesOf(session);
  const resource = resourceOf(ports);
  const wanted = readWanted(parameters, resource);
  if ('error' in wanted) {
    answerClient(ports, ctx, query, wanted);
    return null;
  }
  const asked = { clientId: client.id, clientName: client.name, redirectUri, resource, ...wanted };
  return { query, client, asked, sites };
}

function explain(ctx: Context, problem: Problem, detail: string | null = null): null {
  answerPage(ctx, problemView(languageOf(ctx), problem, detail), 400);
  return null;
}

/** Only a person who is signed in makes the service read an address, and not often. */
async function findClient(
  { oauthClients, db }: Ports,
  { memberships: [first] }: Session,
  clientId: string,
  now: Date,
): ReturnType<ClientDocuments['read']> {
  const known = oauthClients.recall(clientId);
  if (known !== null) return known;
  if (first === undefined) throw new Error('A session has no member');
  await countDocumentRead(db, first.memberId, now);
  return oauthClients.read(clientId, first.organisationId);
}

function show(
  visited: Visit,
  { client, asked, sites }: Opened,
  shown: { readonly problem: string | null; readonly draftsOnly: boolean },
): void {
  const { ctx } = visited;
  const { redirectUri, scopes } = asked;
  allowRedirect(ctx, redirectUri);
  const page = consentView(visitorOf(visited), { client, redirectUri, scopes, sites, ...shown });
  answerPage(ctx, page, shown.problem === null ? 200 : 422);
}

async function approve(
  visited: Visit,
  session: Session,
  { query, asked }: Opened,
  site: OwnSite,
  draftsOnly: boolean,
): Promise<void> {
  const { ports, ctx, now } = visited;
  const by = { ...consenting(visited, session, site), draftsOnly };
  const code = await ports.db.transaction((tx) => grantAccess(tx, asked, by, now));
  answerClient(ports, ctx, query, { code });
}

async function deny(
  visited: Visit,
  session: Session,
  { query, asked }: Opened,
  site: OwnSite,
): Promise<void> {
  const { ports, ctx, now } = visited;
  const by = consenting(visited, session, site);
  await ports.db.transaction((tx) => denyAccess(tx, asked, by, now));
  const error_description = 'The person has denied the access.';
  answerClient(ports, ctx, query, { error: 'access_denied', error_description });
}

const consenting = ({ ctx, ports }: Visit, { email }: Session, site: OwnSite): Consenting => ({
  actor: { kind: 'person', id: site.memberId, name: email, requestId: requestIdOf(ctx) },
  memberId: site.memberId,
  role: site.role,
  site,
  clientAddress: ports.clientAddress(ctx.req),
});

function answerClient(
  { publicUrl }: Ports,
  ctx: Context,
  query: AuthorizationQuery,
  answer: AuthorizationError | { readonly code: string },
): void {
  allowRedirect(ctx, query.redirectUri);
  ctx.set('Location', answerUrl(query, publicUrl, answer));
  ctx.status = 303;
}
