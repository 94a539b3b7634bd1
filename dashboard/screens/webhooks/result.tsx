import type { Delivery } from '../../../sdk/src/index.ts';
import { useText } from '../../text/texts.ts';
import { logTexts } from './log-text.ts';

/** The result of an attempt, in plain words. */
export function useResult(): (delivery: Delivery) => string {
  const { result, failed } = useText(logTexts);
  return ({ status, response_status: code, error }) => {
    if (status === 'succeeded') return result.answered(code ?? 200);
    if (error === null) return code === null ? failed : result.refused(code);
    const known: Readonly<Record<string, unknown>> = result;
    const words = Object.hasOwn(known, error) ? known[error] : error;
    return typeof words === 'string' ? words : error;
  };
}
