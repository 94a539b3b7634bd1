import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';
import { Undecodable } from './payload-converter.ts';

/** A workflow whose own input cannot be decoded does not start: its task fails until a worker can read the input. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [
    {
      execute(input, next) {
        for (const arg of input.args)
          if (arg instanceof Undecodable) throw new TypeError(`The input: ${arg.reason}`);
        return next(input);
      },
    },
  ],
});
