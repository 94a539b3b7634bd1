import type { Caller } from '../../domain/access/authenticate.ts';
import { presentKey } from '../../domain/access/keys.ts';
import { CODE_LIFETIME_S, POLL_INTERVAL_S, startDeviceSignIn } from '../../domain/device/authorization.ts';
import { decideDeviceSignIn, findByUserCode } from '../../domain/device/decide.ts';
import type { Decision } from '../../domain/device/decide.ts';
import { pollDeviceSignIn } from '../../domain/device/poll.ts';
import type { PollResult } from '../../domain/device/poll.ts';
import { ServiceError } from '../../domain/errors.ts';
import { keylessOperation, operation } from '../operation.ts';
import type { Access } from '../operation.ts';
import { ok } from '../reply.ts';
import {
  DeviceDecision,
  DeviceDecisionWrite,
  DeviceSignIn,
  DeviceSignInWrite,
  DeviceToken,
  DeviceTokenRequest,
} from './schema.ts';

const group = 'Device sign-in';

const start = keylessOperation({
  path: '/auth/device',
  summary: 'Begin to sign a device in',
  description:
    'After RFC 8628. Show the person user_code and verification_uri, and poll POST /auth/device/token with device_code until they have decided.',
  group,
  body: DeviceSignInWrite,
  answers: { 200: DeviceSignIn },
  errors: [],
  async handle({ tx, ports, body, now, origin, clientAddress }) {
    const { client_name: clientName, scopes = null, held_by_agent: heldByAgent = false } = body;
    const asked = { clientName, scopes, heldByAgent, clientAddress };
    const { deviceCode, userCode } = await startDeviceSignIn(tx, ports.box, asked, now);
    return ok({
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: `${origin}/device`,
      verification_uri_complete: `${origin}/device?user_code=${userCode}`,
      expires_in: CODE_LIFETIME_S,
      interval: POLL_INTERVAL_S,
    });
  },
});

const token = keylessOperation({
  path: '/auth/device/token',
  summary: 'Ask what became of a sign-in, and collect the key',
  description:
    'Wait interval seconds between two polls; one that comes earlier is slow_down and adds 5. The key is made by the first poll after the approval, whose answer alone carries the secret.',
  group,
  body: DeviceTokenRequest,
  answers: { 200: DeviceToken },
  errors: [],
  async handle({ tx, body, now }) {
    return ok(present(await pollDeviceSignIn(tx, body.device_code, now)));
  },
});

const present = ({ status, interval, collected }: PollResult) => {
  if (collected === undefined) return { status, interval };
  const { key, secret } = collected;
  return { status, interval, key: { ...presentKey(key), secret, secret_replayable: secret !== null } };
};

/** @returns FORBIDDEN for an agent's key: it would hand itself what a person has to give */
const refuseAgentKeys = ({ heldByAgent }: Caller): ServiceError | null =>
  heldByAgent
    ? new ServiceError(
        'FORBIDDEN',
        'Only a person signs a device in. Use a key that no agent holds, or the page.',
      )
    : null;

const deciding: Access = {
  scope: null,
  permission: 'api_keys.manage',
  rateClass: 'write',
  publishable: false,
  refuse: refuseAgentKeys,
};

const decide = (path: string, summary: string, decision: Decision) =>
  operation({
    method: 'POST',
    path,
    summary,
    description:
      'The key will belong to the Site and the person of the key that decides, and carry no scope that this one lacks.',
    group,
    access: deciding,
    body: DeviceDecisionWrite,
    answers: { 200: DeviceDecision },
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
    async handle({ tx, ports, site, caller, actor, body, now }) {
      const found = await findByUserCode(tx, ports.box, body.user_code, now);
      if (found === null) throw noSuchCode();
      const key = { id: caller.keyId, scopes: caller.scopes };
      const by = { actor, memberId: caller.memberId, site, key };
      const scopes = await decideDeviceSignIn(tx, found, decision, by, now);
      const { client_name, held_by_agent } = found;
      return ok({ status: decision, client_name, scopes, held_by_agent });
    },
  });

const noSuchCode = (): ServiceError =>
  new ServiceError('NOT_FOUND', 'There is no such code. It may have expired: codes are good for 15 minutes.');

export const deviceOperations = [
  start,
  token,
  decide('/auth/device/approve', 'Approve the sign-in of a device', 'approved'),
  decide('/auth/device/deny', 'Deny the sign-in of a device', 'denied'),
];
