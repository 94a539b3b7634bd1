import { roleAllows } from '../../../domain/access/permissions.ts';
import type { Role } from '../../../domain/access/permissions.ts';
import { ServiceError } from '../../../domain/kernel/errors.ts';
import type { Session } from '../../../domain/sign-in/sessions.ts';
import type { SiteChoice } from '../sign-in/site-choice.ts';

/** A Site that a person may give access to, and what they are there. */
export type OwnSite = SiteChoice & {
  readonly memberId: string;
  readonly role: Role;
  readonly organisationId: string;
};

/** @throws ServiceError FORBIDDEN if there is no Site for which the person may create keys */
export function sitesOf({ memberships }: Session): readonly [OwnSite, ...OwnSite[]] {
  const [first, ...others] = memberships
    .filter(({ role }) => roleAllows(role, 'api_keys.manage'))
    .flatMap(({ sites, ...membership }) => sites.map((site) => ({ ...membership, ...site })));
  if (first !== undefined) return [first, ...others];
  throw new ServiceError(
    'FORBIDDEN',
    'You cannot give a program access. Ask an owner or admin of your organisation.',
  );
}
