import { ApplicationFailure } from '@temporalio/common';
import type { Progress } from '../../activities/deletion-steps.ts';
import { answers, soon } from './answers.ts';
import type { Scenario } from './scenario.ts';

const ID = '01990000-0000-7000-8000-0000000000aa';

/** Deletions. */
export const leavingScenarios: Readonly<Record<string, Scenario>> = {
  'site-deletion.swept-twice-and-finished-at-the-second-try': {
    workflow: 'siteDeletion',
    input: { siteId: ID },
    activities: {
      stopSite: answers<string | null>(() => {
        throw ApplicationFailure.create({ message: 'The database does not answer' });
      }, soon()),
      deleteSiteRows: answers<Progress>(
        () => ({ more: true }),
        () => ({ more: false }),
      ),
      deleteSiteObjects: answers<Progress>(
        () => ({ more: true }),
        () => ({ more: false }),
      ),
      forgetSiteWorkflows: answers<Progress>(
        () => ({ more: true }),
        () => ({ more: false }),
      ),
      finishSite: answers(
        () => false,
        () => true,
      ),
    },
  },
  'organisation-deletion.waited-for-its-sites': {
    workflow: 'organisationDeletion',
    input: { organisationId: ID },
    activities: {
      deleteSites: answers(
        () => 2,
        () => 0,
      ),
      deleteOrganisation: answers<Progress>(
        () => ({ more: true }),
        () => ({ more: false }),
      ),
    },
  },
};
