import { removeMember } from '../../../domain/organisations/organisations.ts';
import {
  getMember,
  getMemberForUpdate,
  giveRole,
  inviteMember,
  listMembers,
  refuseOwnership,
} from '../../../domain/organisations/team.ts';
import { mailInvitation } from '../../../domain/sign-in/links.ts';
import { presentMember } from '../../../domain/organisations/present.ts';
import type { Member, TeamChange } from '../../../domain/organisations/team.ts';
import { listOperation } from '../../framework/list-operation.ts';
import { operation } from '../../framework/operation.ts';
import type { Access, WriteContext } from '../../framework/operation.ts';
import { created, noContent, ok } from '../../framework/reply.ts';
import { PageQuery } from '../../framework/schema/query.ts';
import { InvitationWrite, MemberPage, MemberShape, MemberWrite } from './schema.ts';

const reading: Access = { scope: 'meta:read', permission: 'team.manage', rateClass: 'read' };
const writing: Access = { scope: 'keys:write', permission: 'team.manage', rateClass: 'write' };

const changeOf = ({
  tx,
  site,
  caller,
  actor,
  now,
}: Pick<WriteContext<unknown, unknown, string>, 'tx' | 'site' | 'caller' | 'actor' | 'now'>): TeamChange => ({
  tx,
  organisationId: site.organisationId,
  caller,
  actor,
  now,
});

/** The facts about a member for the person who approves. */
const gated = ({ version, id, email, role }: Member) => ({
  version,
  shown: { type: 'member', id, email, role },
});

const list = listOperation({
  id: 'listTeamMembers',
  path: '/team',
  summary: 'List the members of the organisation',
  description: 'Members of the organisation, which all its Sites share.',
  access: reading,
  query: PageQuery,
  answer: MemberPage,
  read: ({ db, site, query }) => listMembers(db, site, query),
  present: presentMember,
});

const read = operation({
  id: 'getTeamMember',
  method: 'GET',
  path: '/team/:id',
  summary: 'Read a member',
  description:
    '`can_sign_in` is false until a password has been set, by a link that an administrator makes in the dashboard or by the operator.',
  access: reading,
  answers: { 200: MemberShape },
  async handle({ db, site, params }) {
    const member = await getMember(db, site.organisationId, params.id);
    return ok(presentMember(member), { version: member.version });
  },
});

const invite = operation({
  id: 'inviteTeamMember',
  method: 'POST',
  path: '/team/invitations',
  summary: 'Add a member',
  description:
    'The membership starts at once. If the service sends mail, the person is mailed a link to set a password; otherwise an administrator makes one in the dashboard, or the operator sets one. The role must not be owner. At most 50 an hour and organisation.',
  access: writing,
  body: InvitationWrite,
  idempotency: 'honoured',
  approval: {
    actions: ['member.add'],
    async target({ body }) {
      refuseOwnership(body.role);
      return null;
    },
  },
  answers: { 201: MemberShape },
  headers: ['ETag', 'Location'],
  errors: ['CONFLICT', 'FORBIDDEN'],
  async handle(context) {
    const { email, role } = context.body;
    const { ports, caller } = context;
    const member = await inviteMember(changeOf(context), email, role);
    if (ports.mails) await mailInvitation(context, ports.box, member.id, caller.memberId);
    return created(presentMember(member), { version: member.version, location: `/team/${member.id}` });
  },
});

const update = operation({
  id: 'updateTeamMember',
  method: 'PATCH',
  path: '/team/:id',
  summary: 'Change the role of a member',
  description:
    'It applies to every key of the member from the next request on. You cannot change your own role, nor assign or remove the role owner.',
  access: writing,
  body: MemberWrite,
  conditional: true,
  approval: {
    actions: ['member.role'],
    async target(context) {
      const target = gated(await getMemberForUpdate(changeOf(context), context.params.id));
      refuseOwnership(context.body.role);
      return target;
    },
  },
  answers: { 200: MemberShape },
  errors: ['FORBIDDEN'],
  async handle(context) {
    const change = changeOf(context);
    const current = await getMemberForUpdate(change, context.params.id);
    context.ifMatch(current.version);
    const member = await giveRole(change, current, context.body.role ?? current.role);
    return ok(presentMember(member), { version: member.version });
  },
});

const remove = operation({
  id: 'removeTeamMember',
  method: 'DELETE',
  path: '/team/:id',
  summary: 'Remove a member',
  description:
    'Every key of the member is rejected from the next request on. You cannot remove yourself or an owner.',
  access: writing,
  conditional: true,
  approval: {
    actions: ['member.remove'],
    target: async (context) => gated(await getMemberForUpdate(changeOf(context), context.params.id)),
  },
  answers: { 204: null },
  errors: ['FORBIDDEN'],
  async handle(context) {
    const change = changeOf(context);
    const current = await getMemberForUpdate(change, context.params.id);
    context.ifMatch(current.version);
    await removeMember(change, current.id);
    return noContent();
  },
});

export const teamOperations = [list, invite, read, update, remove];
