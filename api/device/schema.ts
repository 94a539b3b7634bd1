import { z } from 'zod';
import { CODE_LIFETIME_S } from '../../domain/device/authorization.ts';
import { KeyWithSecretShape, requestedScopes } from '../keys/schema.ts';
import { text } from '../schema/fields.ts';

export const DeviceSignInWrite = z
  .strictObject({
    client_name: text(100, 1).describe('Shown to the person who decides, and the name of the key.'),
    scopes: requestedScopes.optional().describe('Without it, all that the person can give.'),
    held_by_agent: z.boolean().optional().describe('Whether an AI agent will hold the key.'),
  })
  .meta({ id: 'DeviceSignInWrite' });

export const DeviceSignIn = z
  .strictObject({
    device_code: z.string().describe('For POST /auth/device/token; the device keeps it to itself.'),
    user_code: z.string().describe('For the person, such as BCDF-GHJK.'),
    verification_uri: z.string(),
    verification_uri_complete: z.string(),
    expires_in: z.literal(CODE_LIFETIME_S).describe('Seconds for which both codes are good.'),
    interval: z.int().describe('Seconds between two polls, at least.'),
  })
  .meta({ id: 'DeviceSignIn' });

export const DeviceTokenRequest = z
  .strictObject({ device_code: text(500, 1) })
  .meta({ id: 'DeviceTokenRequest' });

export const DeviceToken = z
  .strictObject({
    status: z.enum(['authorization_pending', 'slow_down', 'access_denied', 'expired_token', 'approved']),
    interval: z.int().describe('Seconds to wait before the next poll; each slow_down adds 5.'),
    key: KeyWithSecretShape.optional().describe('With approved. Its secret is null from the second time on.'),
  })
  .meta({ id: 'DeviceToken' });

export const DeviceDecisionWrite = z
  .strictObject({
    user_code: text(100, 1).describe('As the device shows it; without dash or in lower case is fine.'),
  })
  .meta({ id: 'DeviceDecisionWrite' });

export const DeviceDecision = z
  .strictObject({
    status: z.enum(['approved', 'denied']),
    client_name: z.string(),
    scopes: z.array(z.string()).describe('Those approved; of a denied sign-in, those asked for.'),
    held_by_agent: z.boolean(),
  })
  .meta({ id: 'DeviceDecision' });
