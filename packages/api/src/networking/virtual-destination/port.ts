// spec.port of a VirtualDestination
import type { SpecField } from '../../schema/field.ts';
import { object } from '../../schema/object.ts';
import { atMostOneOf } from '../../schema/rule.ts';
import { name, oneOf, port as portNumber } from '../../schema/scalar.ts';

/** Protocol of a port; only for HTTP, HTTP2 and GRPC a mesh can see requests. */
export type VirtualPortProtocol = 'HTTP' | 'HTTP2' | 'GRPC' | 'HTTPS' | 'TLS' | 'TCP' | 'MONGO';

/** The port that callers use, and the port of the backend Services; at most one of `targetName` and `targetNumber`. */
export interface VirtualDestinationPort {
  /** The port that callers use. */
  readonly number: number;
  readonly protocol: VirtualPortProtocol;
  /** Name of the port of the Services; omitted: `targetNumber` applies. */
  readonly targetName?: string;
  /** Number of the port of the Services; omitted, and without `targetName`, it is `number`. */
  readonly targetNumber?: number;
}

export const port: SpecField<VirtualDestinationPort> = {
  schema: object<VirtualDestinationPort>(
    'VirtualDestinationPort',
    {
      required: { number: portNumber, protocol: oneOf('HTTP', 'HTTP2', 'GRPC', 'HTTPS', 'TLS', 'TCP', 'MONGO') },
      optional: { targetName: name, targetNumber: portNumber },
    },
    [atMostOneOf<VirtualDestinationPort>('targetName', 'targetNumber')],
  ),
  examples: [
    { number: 80, protocol: 'HTTP', targetName: 'http' },
    { number: 443, protocol: 'TLS', targetNumber: 8443 },
  ],
};
