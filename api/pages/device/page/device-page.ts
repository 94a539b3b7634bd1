import type { Context, Middleware } from 'koa';
import type { Transaction } from '../../../../db/transaction.ts';
import { roleAllows } from '../../../../domain/access/permissions.ts';
import type { DeviceAuthorization } from '../../../../domain/device/authorization.ts';
import { decideDeviceSignIn, findByUserCode } from '../../../../domain/device/decide.ts';
import type { Decision } from '../../../../domain/device/decide.ts';
import { readUserCode } from '../../../../domain/device/codes.ts';
import {
  conflict,
  invalidRequest,
  ServiceError,
  underMaintenance,
} from '../../../../domain/kernel/errors.ts';
import { admitUserCode, countWrongUserCode } from '../../../../domain/sign-in/attempts.ts';
import type { Session } from '../../../../domain/sign-in/sessions.ts';
import { findMaintenance } from '../../../../domain/organisations/sites.ts';
import { requestIdOf } from '../../../framework/envelope.ts';
import type { ErrorPage } from '../../../framework/envelope.ts';
import type { Ports } from '../../../framework/ports.ts';
import { choosesDrafts } from '../../sign-in/drafts-choice.ts';
import { readForm } from '../../sign-in/browser.ts';
import { languageOf } from '../../sign-in/language.ts';
import type { Language } from '../../sign-in/language.ts';
import type { Visitor } from '../../sign-in/layout.ts';
import {
  answerPage,
  redirectTo,
  refuseMethod,
  setPageHeaders,
  visit,
  visitorOf,
} from '../../sign-in/page.ts';
import type { Visit } from '../../sign-in/page.ts';
import { endVisit } from '../../sign-in/end-visit.ts';
import { deviceTexts } from './texts.ts';
import { codeView, confirmView, errorView, outcomeView } from './views.ts';
import type { SiteChoice } from '../../sign-in/site-choice.ts';

/**
 * The verification page of device sign-in, `{origin}/device`: a person who has signed in sees which
 * device requests which scopes, and approves or denies (docs/spec/rulings.md, 11). Rendered on the server, without
 * scripts.
 */
export function devicePage(ports: Ports): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/device' || ctx.method === 'OPTIONS') return next();
    ctx.state.measuredAs = 'device page';
    setPageHeaders(ctx, errorPageIn(languageOf(ctx)));
    const visited = await visit(ports, ctx);
    if (ctx.method === 'POST') return await submit(visited);
    if (ctx.method === 'GET' || ctx.method === 'HEAD') return await show(visited);
    refuseMethod();
  };
}

const errorPageIn =
  (language: Language): ErrorPage =>
  ({ code, message }, requestId) =>
    errorView(language, { code, message, requestId });

const pathOf = (typed: string): string =>
  typed === '' ? '/device' : `/device?user_code=${encodeURIComponent(typed)}`;

/** Leads to the sign-in, and from there back. */
const redirectToSignIn = (ctx: Context, typed: string): void =>
  redirectTo(ctx, `sign-in?next=${encodeURIComponent(pathOf(typed))}`);

const typedCode = ({ ctx }: Visit): string => new URLSearchParams(ctx.querystring).get('user_code') ?? '';

async function show(visit: Visit): Promise<void> {
  const { ctx, session } = visit;
  const typed = typedCode(visit);
  if (session === null) return redirectToSignIn(ctx, typed);
  const visitor = visitorOf(visit);
  if (typed === '') return answerPage(ctx, codeView(visitor));
  await showRequest(visit, session, visitor, typed);
}

/** @param submitted the decision with a mistake */
async function showRequest(
  { ports, ctx, now }: Visit,
  session: Session,
  visitor: Visitor,
  typed: string,
  submitted?: { readonly problem: string; readonly draftsOnly: boolean },
): Promise<void> {
  const asked = await ports.db.transaction((tx) => findTyped(tx, ports, session, typed, now));
  if (asked === null)
    return answerPage(
      ctx,
      codeView(visitor, { typed, problem: deviceTexts[visitor.language].noSuchCode }),
      404,
    );
  if (asked.decision !== null) {
    throw conflict(`This sign-in has already been ${asked.decision}. The device can start a new one.`);
  }
  const values = { asked, userCode: readUserCode(typed) ?? typed, sites: sitesOf(session) };
  if (submitted === undefined) return answerPage(ctx, confirmView(visitor, { ...values, draftsOnly: true }));
  answerPage(ctx, confirmView(visitor, { ...values, ...submitted }), 422);
}

async function submit(visit: Visit): Promise<void> {
  const { ports, ctx, token, session } = visit;
  const form = await readForm(ports, ctx, token);
  const action = form.get('do');
  if (action === 'sign-out') {
    await endVisit(visit);
    return redirectTo(ctx, pathOf(''));
  }
  if (action !== 'approve' && action !== 'deny') throw invalidRequest('The form does not say what to do.');
  // The session has ended since the form was shown.
  if (session === null) return redirectToSignIn(ctx, form.get('user_code') ?? '');
  await decide(visit, session, form, action === 'approve' ? 'approved' : 'denied');
}

async function decide(
  visit: Visit,
  session: Session,
  form: URLSearchParams,
  decision: Decision,
): Promise<void> {
  const { ports, ctx, now } = visit;
  const visitor = visitorOf(visit);
  const typed = form.get('user_code') ?? '';
  const sites = sitesOf(session);
  const site =
    sites.find(({ id }) => id === form.get('site_id')) ?? (decision === 'denied' ? sites[0] : undefined);
  if (site === undefined)
    return showRequest(visit, session, visitor, typed, {
      problem: deviceTexts[visitor.language].chooseSite,
      draftsOnly: choosesDrafts(form),
    });
  const { memberId } = site;
  const asked = await ports.db.transaction(async (tx) => {
    const maintenance = await findMaintenance(tx, site.id);
    if (maintenance !== null) throw underMaintenance(maintenance);
    const found = await findTyped(tx, ports, session, typed, now);
    if (found === null) return null;
    const actor = {
      kind: 'person',
      id: memberId,
      name: session.email,
      requestId: requestIdOf(ctx),
    } as const;
    const by = { actor, memberId, site, draftsOnly: choosesDrafts(form), key: null };
    await decideDeviceSignIn(tx, found, decision, by, now);
    return found;
  });
  if (asked === null)
    return answerPage(
      ctx,
      codeView(visitor, { typed, problem: deviceTexts[visitor.language].noSuchCode }),
      404,
    );
  answerPage(ctx, outcomeView(visitor, { decision, clientName: asked.client_name, site }));
}

/**
 * Finds the sign-in by the code that a person entered.
 *
 * @returns null for a wrong code; the caller must commit, so that the wrong code is counted
 * @throws ServiceError RATE_LIMIT_EXCEEDED after too many wrong codes
 */
async function findTyped(
  tx: Transaction,
  { box }: Ports,
  session: Session,
  typed: string,
  now: Date,
): Promise<DeviceAuthorization | null> {
  const memberId = countedMember(session);
  await admitUserCode(tx, memberId, now);
  const found = await findByUserCode(tx, box, typed, now);
  if (found === null) await countWrongUserCode(tx, memberId);
  return found;
}

/** The member of a session under which wrong codes are counted. */
function countedMember({ memberships: [first] }: Session): string {
  if (first === undefined) throw new Error('A session has no member');
  return first.memberId;
}

type OwnSite = SiteChoice & { readonly memberId: string; readonly organisationId: string };

/** @throws ServiceError FORBIDDEN if there is no Site for which the person may create keys */
function sitesOf({ memberships }: Session): readonly OwnSite[] {
  const sites = memberships
    .filter(({ role }) => roleAllows(role, 'api_keys.manage'))
    .flatMap(({ memberId, organisationId, organisationName, sites: all }) =>
      all.map((site) => ({ ...site, memberId, organisationId, organisationName })),
    );
  if (sites.length > 0) return sites;
  throw new ServiceError(
    'FORBIDDEN',
    'You cannot give a device a key. Ask an owner or admin of your organisation to approve it.',
  );
}
