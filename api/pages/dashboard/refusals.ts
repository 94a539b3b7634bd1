import { ServiceError } from '../../../domain/kernel/errors.ts';

/** The answer to requests without a session: the dashboard leads to the sign-in then. */
export const notSignedIn = (): ServiceError =>
  new ServiceError('INVALID_API_KEY', 'You are not signed in, or your session has ended. Sign in again.');
