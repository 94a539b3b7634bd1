import { z } from 'zod';
import { CODE_LIFETIME_S } from '../../../domain/device/authorization.ts';
import { KeyWithSecretShape, requestedScopes } from '../keys/schema.ts';
import { text } from '../../../packages/base/fields.ts';
import {
  decisionExample,
  decisionWriteExample,
  signInExample,
  signInWriteExample,
  tokenExample,
  tokenRequestExample,
} from './examples.ts';

export const DeviceSignInWrite = z
  .strictObject({
    client_name: text(100, 1).describe('Shown to the person who decides, and used as the name of the key.'),
    scopes: requestedScopes.optional().describe('The default is every scope that the person can grant.'),
    held_by_agent: z.boolean().optional().describe('Whether an AI agent will hold the key.'),
    drafts_only: z.boolean().optional().describe('Whether the key may only write what no reader sees.'),
  })
  .meta({ id: 'DeviceSignInWrite', examples: [signInWriteExample] });

export const DeviceSignIn = z
  .strictObject({
    device_code: z.string().describe('For POST /auth/device/token. The device must keep it secret.'),
    user_code: z.string().describe('The code that the person enters, such as BCDF-GHJK.'),
    verification_uri: z.string(),
    verification_uri_complete: z.string(),
    expires_in: z.literal(CODE_LIFETIME_S).describe('Seconds for which both codes are valid.'),
    interval: z.int().describe('The minimum number of seconds between two polls.'),
  })
  .meta({ id: 'DeviceSignIn', examples: [signInExample] });

export const DeviceTokenRequest = z
  .strictObject({ device_code: text(500, 1) })
  .meta({ id: 'DeviceTokenRequest', examples: [tokenRequestExample] });

export const DeviceToken = z
  .strictObject({
    status: z.enum(['authorization_pending', 'slow_down', 'access_denied', 'expired_token', 'approved']),
    interval: z.int().describe('Seconds to wait before the next poll; each slow_down adds 5.'),
    key: KeyWithSecretShape.optional().describe('Present with approved. Its secret is null in later polls.'),
  })
  .meta({ id: 'DeviceToken', examples: [tokenExample] });

export const DeviceDecisionWrite = z
  .strictObject({
    user_code: text(100, 1).describe('The code that the device shows. The dash and upper case are optional.'),
  })
  .meta({ id: 'DeviceDecisionWrite', examples: [decisionWriteExample] });

export const DeviceDecision = z
  .strictObject({
    status: z.enum(['approved', 'denied']),
    client_name: z.string(),
    scopes: z.array(z.string()).describe('The approved scopes; for a denied sign-in, the requested ones.'),
    held_by_agent: z.boolean(),
  })
  .meta({ id: 'DeviceDecision', examples: [decisionExample] });
