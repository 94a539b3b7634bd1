import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { searchAttributes } from './names.ts';
import { untilItSucceeds } from './until-it-succeeds.ts';

export interface DeletionSteps {
  readonly show: (state: string, details: string) => void;
  /** Shows a step and does it, however long that takes. */
  readonly step: <Result>(state: string, details: string, work: () => Promise<Result>) => Promise<Result>;
}

/** The steps of a deletion, each of which is shown and has to be done. */
export function deletionSteps(): DeletionSteps {
  let shown = '';
  const show = (state: string, details: string): void => {
    setCurrentDetails(details);
    if (state !== shown) upsertSearchAttributes([{ key: searchAttributes.processState, value: state }]);
    shown = state;
  };
  return {
    show,
    step(state, details, work) {
      show(state, details);
      return untilItSucceeds(work, (reason) =>
        show('failing', `${details}\n\nretried every 5 min: ${reason}`),
      );
    },
  };
}
