import { listPeople } from '../../../domain/organisations/person.ts';
import { dashboardRoute, requirePermission, requireSite } from './route.ts';

/** The people to choose among for a review or a note. Only who manages the team reads it by the API. */
const people = dashboardRoute({
  method: 'GET',
  path: '/sites/:site/people',
  async handle(asked) {
    const { by, ports } = requireSite(asked);
    requirePermission(by, 'articles.write');
    return { status: 200, data: { people: await listPeople(ports.db, by.organisationId) } };
  },
});

export const peopleRoutes = [people];
