import Stripe from 'stripe';
import { ProviderError } from '../../domain/billing/provider.ts';

/**
 * The failure, in words of our own: Stripe's errors contain the answer, which may name a card or a person.
 */
export function withoutDetails(error: unknown, what: string): Error {
  if (!(error instanceof Stripe.errors.StripeError)) return error as Error;
  const { type, code, statusCode, requestId } = error;
  const about = [type, code, statusCode, requestId]
    .filter((part) => part !== undefined && part !== '')
    .join(', ');
  return new ProviderError(`Stripe did not ${what} (${about})`, isPassing(error));
}

/** Whether a repetition may succeed: Stripe did not answer, is busy, or another call with the same key is under way. */
const isPassing = (error: Stripe.errors.StripeError): boolean =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeRateLimitError ||
  error.statusCode === 409 ||
  (error.statusCode ?? 500) >= 500;

/** Whether Stripe has no such object. To a cancellation it says so of a subscription that was cancelled before, too. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  (error.statusCode === 404 || error.code === 'resource_missing');

/** Whether Stripe does not show an object: it does not exist, or the key is restricted. */
export const isHidden = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripePermissionError || isMissing(error);

/**
 * Why a card was not charged, by a word of Stripe's; null if it may have been, or a repetition may succeed. A wrong
 * request has charged nothing: the card is no longer the customer's, or the amount is too small.
 */
export function refusalOf(error: unknown): string | null {
  if (error instanceof Stripe.errors.StripeCardError) return error.decline_code ?? error.code ?? 'declined';
  return error instanceof Stripe.errors.StripeInvalidRequestError ? (error.code ?? 'refused') : null;
}
