import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult } from '@tanstack/react-query';
import { useFailure } from '../../api/failure.ts';
import { accountQuery } from '../../session/account.ts';
import { request } from '../../session/request.ts';
import { toast } from '../../session/toast.ts';

export const sessionsKey = [...accountQuery.queryKey, 'sessions'] as const;

export interface AccountChange<Input> {
  readonly method: 'POST' | 'DELETE';
  /** Below `/dashboard/api`. */
  readonly path: string | ((input: Input) => string);
  /** Said afterwards. */
  readonly done?: string;
  readonly onDone?: () => void;
  /** `here` if the form shows the error. */
  readonly errors?: 'here' | 'notice';
}

/** A change of the account, which belongs to no Site. Its input is the body, unless the path is made of it. */
export function useAccountChange<Input extends object | string | void, Output = void>(
  change: AccountChange<Input>,
): UseMutationResult<Output, Error, Input> {
  const { method, path, done, onDone, errors = 'here' } = change;
  const client = useQueryClient();
  const failure = useFailure();
  return useMutation({
    // An answer with a secret is forgotten with the dialog that shows it.
    gcTime: 0,
    mutationFn: (input: Input) =>
      typeof path === 'function'
        ? request<Output>(method, path(input))
        : request<Output>(method, path, typeof input === 'object' ? input : undefined),
    onError: (error) => {
      if (errors === 'notice') toast.error(failure(error));
    },
    onSuccess: () => {
      if (done !== undefined) toast.done(done);
      onDone?.();
    },
    onSettled: () => client.invalidateQueries({ queryKey: accountQuery.queryKey }),
  });
}
