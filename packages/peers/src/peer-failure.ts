/**
 * Another replica was reached, and reports that it could not answer. If it is unreachable, the error is a RelayError.
 */
import { isRelayErrorCode, RelayError } from '@meshrelay/relay-protocol';

export class PeerFailure extends RelayError {
  /** An unknown code counts as a fault of the other replica. */
  constructor(code: string, reason: string) {
    super(isRelayErrorCode(code) ? code : 'RELAY_E_INTERNAL', reason);
    this.name = 'PeerFailure';
  }
}
