import {
  endMembership,
  getMember,
  getMemberForChange,
  giveRole,
  inviteMember,
  listMembers,
  presentMember,
} from '../../domain/team.ts';
import type { TeamChange } from '../../domain/team.ts';
import { operation } from '../operation.ts';
import type { Access, WriteContext } from '../operation.ts';
import { created, noContent, ok, page } from '../reply.ts';
import { InvitationWrite, MemberPage, MemberQuery, MemberShape, MemberWrite } from './schema.ts';

const reading: Access = {
  scope: 'meta:read',
  permission: 'team.manage',
  rateClass: 'read',
  publishable: false,
};
const writing: Access = {
  scope: 'keys:write',
  permission: 'team.manage',
  rateClass: 'write',
  publishable: false,
};
const group = 'Team';

const changeOf = ({
  tx,
  site,
  caller,
  actor,
  now,
}: Pick<WriteContext<unknown, unknown>, 'tx' | 'site' | 'caller' | 'actor' | 'now'>): TeamChange => ({
  tx,
  organisationId: site.organisationId,
  caller,
  actor,
  now,
});

const list = operation({
  method: 'GET',
  path: '/team',
  summary: 'List the people of the organisation',
  group,
  access: reading,
  query: MemberQuery,
  answers: { 200: MemberPage },
  errors: [],
  async handle({ db, site, query }) {
    return page(await listMembers(db, site, query), presentMember);
  },
});

const read = operation({
  method: 'GET',
  path: '/team/:id',
  summary: 'Read a member',
  group,
  access: reading,
  answers: { 200: MemberShape },
  errors: [],
  async handle({ db, site, params }) {
    const member = await getMember(db, site.organisationId, params['id'] as string);
    return ok(presentMember(member), { version: member.version });
  },
});

const invite = operation({
  method: 'POST',
  path: '/team/invitations',
  summary: 'Make somebody a member',
  description:
    'Nothing is sent: the membership holds at once, and the operator gives the person a password. No key makes an owner.',
  group,
  access: writing,
  body: InvitationWrite,
  idempotency: 'honoured',
  answers: { 201: MemberShape },
  errors: ['CONFLICT', 'FORBIDDEN'],
  async handle(context) {
    const { email, role } = context.body;
    const member = await inviteMember(changeOf(context), email, role);
    return created(presentMember(member), { version: member.version, location: `/team/${member.id}` });
  },
});

const update = operation({
  method: 'PATCH',
  path: '/team/:id',
  summary: 'Give a member another role',
  description:
    'Every key they made is bound by it from the next request on. Not for oneself, and neither to nor from owner.',
  group,
  access: writing,
  body: MemberWrite,
  conditional: true,
  answers: { 200: MemberShape },
  errors: ['FORBIDDEN'],
  async handle(context) {
    const change = changeOf(context);
    const current = await getMemberForChange(change, context.params['id'] as string);
    context.ifMatch(current.version);
    const member = await giveRole(change, current, context.body.role ?? current.role);
    return ok(presentMember(member), { version: member.version });
  },
});

const remove = operation({
  method: 'DELETE',
  path: '/team/:id',
  summary: 'End a membership',
  description: 'Every key the person made is refused from the next request on. Neither oneself nor an owner.',
  group,
  access: writing,
  conditional: true,
  answers: { 204: null },
  errors: ['FORBIDDEN'],
  async handle(context) {
    const change = changeOf(context);
    const current = await getMemberForChange(change, context.params['id'] as string);
    context.ifMatch(current.version);
    await endMembership(change, current);
    return noContent();
  },
});

export const teamOperations = [list, invite, read, update, remove];
