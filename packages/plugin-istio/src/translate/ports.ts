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

/** Whether `http` of a VirtualService applies to a port; where Istio detects the protocol, it does to HTTP. */
export function takesHttp({ protocol }: PortView): boolean {
  return protocol === 'AUTO' || HTTP.has(protocol);
}

/** Whether `tcp` of a VirtualService applies to a port; where Istio detects the protocol, it does to all but HTTP. */
export function takesTcp({ protocol }: PortView): boolean {
  return protocol === 'AUTO' || TCP.has(protocol);
}

type Protocols = ReadonlySet<PortView['protocol']>;

/** Protocols that the proxies of pods read as HTTP. */
export const HTTP: Protocols = new Set<PortView['protocol']>(['HTTP', 'HTTP2', 'GRPC']);

const TCP: Protocols = new Set<PortView['protocol']>(['TCP', 'MONGO', 'MYSQL', 'REDIS']);
