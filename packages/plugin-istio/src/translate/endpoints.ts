/** Endpoints of a destination in another cluster: the ServiceEntry for its federated name. */
import {
  type DestinationFacts,
  type EndpointsView,
  type EndpointView,
  type Output,
  type PortView,
  portToDial,
} from '@meshrelay/plugin';
import { istioObject, SERVICE_ENTRY } from '../kinds.ts';
import { remoteName } from '../names.ts';
import { present } from '../present.ts';
import { rootNamespace } from '../root-namespace.ts';
import { portName, servicePorts } from './ports.ts';
import { workloadEntry } from './workload-entry.ts';

export function translateEndpoints(view: EndpointsView, out: Output): void {
  const { destination, consumer, virtualMesh } = view;
  const entry = istioObject(SERVICE_ENTRY, rootNamespace(consumer), remoteName(destination), serviceEntry(view));
  out.emit(consumer.cluster, entry, [virtualMesh]);
}

function serviceEntry({ destination, hostname, address, endpoints }: EndpointsView): Record<string, unknown> {
  return present({
    hosts: [hostname],
    addresses: [address],
    location: 'MESH_INTERNAL',
    resolution: endpoints.some(({ kind }) => kind === 'hostname') ? 'DNS' : 'STATIC',
    ports: servicePorts(destination, false),
    endpoints: endpoints.map((endpoint) => workloadEntry(endpoint, portsAt(endpoint, destination.ports))),
    subjectAltNames: identities(destination),
  });
}

/** The identities that callers accept from endpoints. Without them any workload of the trust domain could answer. */
function identities({ serviceAccounts, namespace, mesh }: DestinationFacts): string[] {
  return serviceAccounts.map((account) => `spiffe://${mesh.trustDomain}/ns/${namespace}/sa/${account}`);
}

/** The number to dial for each port, by its name in this ServiceEntry. */
function portsAt(endpoint: EndpointView, ports: readonly PortView[]): Record<string, number> {
  return Object.fromEntries(
    ports.flatMap((port) => {
      const number = port.protocol === 'UDP' ? undefined : portToDial(endpoint, port.number);
      return number === undefined ? [] : [[portName(port), number]];
    }),
  );
}
