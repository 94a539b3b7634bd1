import type { Caller } from '../../../domain/access/authenticate.ts';
import { CODE_LIFETIME_S, POLL_INTERVAL_S, startDeviceSignIn } from '../../../domain/device/authorization.ts';
import { decideDeviceSignIn, findByUserCode } from '../../../domain/device/decide.ts';
import type { Decision } from '../../../domain/device/decide.ts';
import { pollDeviceSignIn } from '../../../domain/device/poll.ts';
import { presentPoll } from '../../../domain/device/present.ts';
import { ServiceError } from '../../../domain/kernel/errors.ts';
import { keylessOperation, operation } from '../../framework/operation.ts';
import type { Access } from '../../framework/operation.ts';
import { ok } from '../../framework/reply.ts';
import {
  DeviceDecision,
  DeviceDecisionWrite,
  DeviceSignIn,
  DeviceSignInWrite,
  DeviceToken,
  DeviceTokenRequest,
} from './schema.ts';
import { decisionExample } from './examples.ts';

const start = keylessOperation({
  id: 'startDeviceSignIn',
  path: '/auth/device',
  summary: 'Start the sign-in of a device',
  description:
    'Follows RFC 8628. Show the person user_code and verification_uri, and poll POST /auth/device/token with device_code until they decide. At most 1,000 requests for access are open in one network (409 beyond that).',
  body: DeviceSignInWrite,
  answers: { 200: DeviceSignIn },
  errors: ['CONFLICT'],
  async handle({ tx, ports, body, now, clientAddress }) {
    const { client_name: clientName, scopes = null } = body;
    const { held_by_agent: heldByAgent = false, drafts_only: draftsOnly = false } = body;
    const asked = { clientName, scopes, heldByAgent, draftsOnly, clientAddress };
    const { deviceCode, userCode } = await startDeviceSignIn(tx, ports.box, asked, now);
    return ok({
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: `${ports.publicUrl}/device`,
      verification_uri_complete: `${ports.publicUrl}/device?user_code=${userCode}`,
      expires_in: CODE_LIFETIME_S,
      interval: POLL_INTERVAL_S,
    });
  },
});

const token = keylessOperation({
  id: 'pollDeviceSignIn',
  path: '/auth/device/token',
  summary: 'Poll a sign-in, and collect the key',
  description:
    'Wait interval seconds between two polls. An earlier poll gets slow_down, and the interval grows by 5. The first poll after the approval creates the key; only its answer contains the secret.',
  body: DeviceTokenRequest,
  answers: { 200: DeviceToken },
  errors: ['CONFLICT'],
  async handle({ tx, body, requestId, now }) {
    return ok(presentPoll(await pollDeviceSignIn(tx, body.device_code, requestId, now)));
  },
});

/** @returns FORBIDDEN for an agent's key: only a person may give access to a device */
const refuseAgentKeys = ({ heldByAgent }: Caller): ServiceError | null =>
  heldByAgent
    ? new ServiceError(
        'FORBIDDEN',
        'Only a person can sign a device in. Use a key that is not held by an agent, or the verification page.',
      )
    : null;

const deciding: Access = {
  scope: 'keys:write',
  permission: 'api_keys.manage',
  rateClass: 'write',
  refuse: refuseAgentKeys,
  forDrafts: true,
};

const decide = (verb: 'approve' | 'deny', summary: string, decision: Decision) =>
  operation({
    id: `${verb}DeviceSignIn`,
    method: 'POST',
    path: `/auth/device/${verb}`,
    summary,
    description:
      'The new key belongs to the Site and the person of the deciding key. It has no scope that the deciding key lacks, and expires with it at the latest; it is for drafts only if the deciding key is, or if the device asked for that. If the deciding key is revoked or expires before the device collects its key, the device gets none.',
    access: deciding,
    body: DeviceDecisionWrite,
    example: { data: { ...decisionExample, status: decision } },
    answers: { 200: DeviceDecision },
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
    async handle({ tx, ports, site, caller, actor, body, now }) {
      const found = await findByUserCode(tx, ports.box, body.user_code, now);
      if (found === null) throw noSuchCode();
      const key = { id: caller.keyId, scopes: caller.scopes };
      const by = { actor, memberId: caller.memberId, site, draftsOnly: caller.draftsOnly, key };
      const scopes = await decideDeviceSignIn(tx, found, decision, by, now);
      const { client_name, held_by_agent } = found;
      return ok({ status: decision, client_name, scopes, held_by_agent });
    },
  });

const noSuchCode = (): ServiceError =>
  new ServiceError('NOT_FOUND', 'user_code: does not exist, or has expired. Codes are valid for 15 minutes.');

export const deviceOperations = [
  start,
  token,
  decide('approve', 'Approve the sign-in of a device', 'approved'),
  decide('deny', 'Deny the sign-in of a device', 'denied'),
];
