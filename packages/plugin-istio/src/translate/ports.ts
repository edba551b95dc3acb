/** Ports of ServiceEntries. */
import type { DestinationFacts, PortView } from '@meshrelay/relay-core';
import { present } from '../present.ts';

/** Ports must have names here; a Service's only port may have none. */
export function portName({ name, number }: PortView): string {
  return name === '' ? `port-${number}` : name;
}

/** Where the Service does not tell the protocol, Istio finds out, as it does for the Service itself. UDP cannot be carried. */
export function servicePorts({ ports }: DestinationFacts, withTargets: boolean): Array<Record<string, unknown>> {
  return ports
    .filter(({ protocol }) => protocol !== 'UDP')
    .map((port) =>
      present({
        number: port.number,
        name: portName(port),
        protocol:
          port.protocol === 'AUTO' || port.protocol === 'MYSQL' || port.protocol === 'REDIS'
            ? plain(port)
            : port.protocol,
        targetPort:
          withTargets && port.targetPort !== undefined && port.targetPort !== port.number ? port.targetPort : undefined,
      }),
    );
}

function plain({ protocol }: PortView): string | undefined {
  return protocol === 'AUTO' ? undefined : 'TCP';
}
