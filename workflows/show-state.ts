import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { searchAttributes } from './names.ts';

/** Shows operators what a workflow is doing: its current details, and the search attribute `ProcessState`. */
export function showState(state: string, details: string): void {
  setCurrentDetails(details);
  upsertSearchAttributes([{ key: searchAttributes.processState, value: state }]);
}
