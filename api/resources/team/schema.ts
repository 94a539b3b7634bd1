import { z } from 'zod';
import { roles } from '../../../domain/access/permissions.ts';
import { email, id, isoTime, pageOf } from '../../../packages/base/fields.ts';

const role = z.enum(roles);

export const InvitationWrite = z.strictObject({ email, role }).meta({
  id: 'TeamInvitation',
  examples: [{ email: 'grace@example.com', role: 'editor' }],
});

export const MemberWrite = z
  .strictObject({ role: role.optional() })
  .meta({ id: 'TeamMemberWrite', examples: [{ role: 'editor' }] });

export const MemberShape = z
  .strictObject({
    id,
    email: z.string(),
    role,
    can_sign_in: z.boolean().meta({ description: 'Whether the operator has set a password for the member.' }),
    created_at: isoTime,
  })
  .meta({
    id: 'TeamMember',
    examples: [
      {
        id: '0197a0c4-abcd-7d30-9b64-2f1f0d3c8a11',
        email: 'grace@example.com',
        role: 'editor',
        can_sign_in: false,
        created_at: '2026-03-01T09:00:00.000Z',
      },
    ],
  });

export const MemberPage = pageOf(MemberShape).meta({ id: 'TeamMemberPage' });
