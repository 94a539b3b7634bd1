import type { Authenticated } from '../../../domain/access/authenticate.ts';
import type { Ports } from '../../framework/ports.ts';
import type { InnerCall } from './inner-call.ts';
import type { Toolbox } from './toolbox.ts';

/** Who asks, by which request, with which rights. */
export interface Agent {
  readonly ports: Ports;
  readonly toolbox: Toolbox;
  readonly auth: Authenticated;
  readonly call: InnerCall;
  /** Whether its client can open an address for a person, and repeat the call with our state. */
  readonly canAskByUrl: boolean;
  /** The approval that a repeated call carries; null for a first one. */
  readonly carried: string | null;
  /** Whether the client says that nobody opens the address: then it is not waited for, and not asked again. */
  readonly hasDeclined: boolean;
  /** Ended when the client has gone. */
  readonly signal: AbortSignal;
}
