import { z } from 'zod';
import { roles } from '../../domain/access/permissions.ts';
import { email, id, isoTime, pageOf } from '../schema/fields.ts';
import { cursor, limit } from '../schema/query.ts';

const role = z.enum(roles);

export const InvitationWrite = z.strictObject({ email, role }).meta({ id: 'TeamInvitation' });

export const MemberWrite = z.strictObject({ role: role.optional() }).meta({ id: 'TeamMemberWrite' });

export const MemberShape = z
  .strictObject({
    id,
    email: z.string(),
    role,
    can_sign_in: z.boolean().meta({ description: 'Whether the operator has set a password for them.' }),
    created_at: isoTime,
  })
  .meta({ id: 'TeamMember' });

export const MemberPage = pageOf(MemberShape).meta({ id: 'TeamMemberPage' });

export const MemberQuery = z.strictObject({ cursor, limit: limit() });
