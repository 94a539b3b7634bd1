import { gatesInForce } from '../approvals/gated-operations.ts';
import type { OrganisationSettings } from './settings.ts';
import type { Member } from './team.ts';

export const presentSettings = (settings: OrganisationSettings) => ({
  id: settings.id,
  name: settings.name,
  plan: settings.plan,
  agent_access: settings.agent_access,
  approval_operations: gatesInForce(settings),
  approval_operations_default: settings.approval_operations === null,
  created_at: settings.created_at.toISOString(),
});

export const presentMember = (member: Member) => ({
  id: member.id,
  email: member.email,
  role: member.role,
  can_sign_in: member.can_sign_in,
  created_at: member.created_at.toISOString(),
});
