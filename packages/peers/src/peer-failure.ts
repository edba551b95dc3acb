/** Another replica was reached, and says that it could not answer. What keeps it from being reached is a RelayError as any other. */
import { isRelayErrorCode, RelayError } from '@meshrelay/relay-protocol';

export class PeerFailure extends RelayError {
  /** A code that this end does not know is a fault of the other. */
  constructor(code: string, reason: string) {
    super(isRelayErrorCode(code) ? code : 'RELAY_E_INTERNAL', reason);
    this.name = 'PeerFailure';
  }
}
