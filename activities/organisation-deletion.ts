import { listLiveSubscriptions } from '../domain/billing/subscription.ts';
import {
  countSites,
  deleteOrganisationRows,
  requestLateSites,
} from '../domain/leaving/organisation-deletion.ts';
import { inBudget, requireAsked } from './deletion-steps.ts';
import type { Progress } from './deletion-steps.ts';
import type { Ports } from './ports.ts';

const BATCH = 1_000;

/** The steps of an organisation's deletion. Each continues where an earlier attempt was killed. */
export const createOrganisationDeletionActivities = ({
  db,
  clock,
  payments,
}: Pick<Ports, 'db' | 'clock' | 'payments'>) => {
  const requireDeletion = (id: string): Promise<void> => requireAsked(db, id, 'organisation');

  return {
    /** Asks for the deletion of Sites that nobody has asked for yet. @returns how many Sites are left */
    async deleteSites(organisationId: string): Promise<number> {
      await requireDeletion(organisationId);
      await db.transaction((tx) => requestLateSites(tx, organisationId, clock.now()));
      return countSites(db, organisationId);
    },

    /** Cancels subscriptions. Deletes members, the log and the organisation itself, which has no Sites left. */
    async deleteOrganisation(organisationId: string): Promise<Progress> {
      await requireDeletion(organisationId);
      let isCancelled = false;
      return inBudget(async () => {
        if (!isCancelled)
          for (const id of await listLiveSubscriptions(db, organisationId))
            await payments?.provider.cancelSubscription(id);
        isCancelled = true;
        return db.transaction((tx) => deleteOrganisationRows(tx, organisationId, BATCH, clock.now()));
      });
    },
  };
};

export type OrganisationDeletionActivities = ReturnType<typeof createOrganisationDeletionActivities>;
