/** Ports of ServiceEntries. */
import type { DestinationFacts, PortView } from '@meshrelay/plugin';
import { present } from '../present.ts';

/** Ports of a ServiceEntry must have names; the only port of a Service may have none. */
export function portName({ name, number }: PortView): string {
  return name === '' ? `port-${number}` : name;
}

/** If the Service declares no protocol, Istio detects it, as for the Service itself. UDP is not supported. */
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

/** Whether `http` of a VirtualService applies to a port; with protocol detection it applies to HTTP. */
export function takesHttp({ protocol }: PortView): boolean {
  return protocol === 'AUTO' || HTTP.has(protocol);
}

/**
 * Whether `tcp` of a VirtualService applies to a port; with protocol detection it applies to everything except HTTP.
 */
export function takesTcp({ protocol }: PortView): boolean {
  return protocol === 'AUTO' || TCP.has(protocol);
}

type Protocols = ReadonlySet<PortView['protocol']>;

/** Protocols that sidecars parse as HTTP. */
export const HTTP: Protocols = new Set<PortView['protocol']>(['HTTP', 'HTTP2', 'GRPC']);

const TCP: Protocols = new Set<PortView['protocol']>(['TCP', 'MONGO', 'MYSQL', 'REDIS']);
