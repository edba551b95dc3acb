/** Destinations of routes: the host exists, the port is one of its own, the subset is defined. */
import {
  type Analysed,
  type Analyzer,
  fullHost,
  hostTakes,
  isVisible,
  type Message,
  namespaceOf,
  ofKind,
  titleOf,
} from './objects.ts';

interface Destination {
  readonly host: string;
  readonly port?: { readonly number: number };
  readonly subset?: string;
}

/** Hosts and ports. */
export const destinationHosts: Analyzer = (objects) =>
  ofKind(objects, 'VirtualService').flatMap((virtualService) =>
    destinationsOf(virtualService).flatMap((destination): Message[] => {
      const object = titleOf(virtualService);
      const ports = portsOf(objects, virtualService, destination.host);
      if (ports === undefined) return [{ message: 'ReferencedResourceNotFound', object }];
      if (ports.length === 0) return [];
      if (destination.port === undefined)
        return ports.length > 1 ? [{ message: 'VirtualServiceDestinationPortSelectorRequired', object }] : [];
      return ports.includes(destination.port.number) ? [] : [{ message: 'ReferencedResourceNotFound', object }];
    }),
  );

/** Subsets. */
export const destinationSubsets: Analyzer = (objects) =>
  ofKind(objects, 'VirtualService').flatMap((virtualService) =>
    destinationsOf(virtualService)
      .filter(({ host, subset }) => subset !== undefined && !hasSubset(objects, virtualService, host, subset))
      .map(() => ({ message: 'ReferencedResourceNotFound', object: titleOf(virtualService) })),
  );

function destinationsOf({ spec }: Analysed): Destination[] {
  const routes = [...(spec.http ?? []), ...(spec.tcp ?? []), ...(spec.tls ?? [])];
  return routes.flatMap(({ route = [], mirror, mirrors = [] }) => [
    ...route.flatMap(({ destination }: { destination?: Destination }) => destination ?? []),
    ...(mirror === undefined ? [] : [mirror]),
    ...mirrors.map(({ destination }: { destination: Destination }) => destination),
  ]);
}

/** Ports of a host as an object sees it; empty if unknown; undefined if the host does not exist. */
function portsOf(objects: readonly Analysed[], seer: Analysed, host: string): readonly number[] | undefined {
  const full = fullHost(host, namespaceOf(seer));
  const seeing: readonly string[] = (seer.spec.exportTo ?? []).filter(
    (scope: string) => scope !== '.' && scope !== '*',
  );
  const namespaces = seeing.length === 0 ? [namespaceOf(seer)] : seeing;
  const service = ofKind(objects, 'Service').find(
    (one) =>
      full === `${one.metadata.name}.${namespaceOf(one)}.svc.cluster.local` &&
      namespaces.every((namespace) =>
        isVisible(one, namespace, one.metadata.annotations?.['networking.istio.io/exportTo']?.split(',')),
      ),
  );
  if (service !== undefined) return (service.spec.ports ?? []).map(({ port }: { port: number }) => port);
  const entry = ofKind(objects, 'ServiceEntry').find(
    (one) =>
      one.spec.hosts.some((pattern: string) => hostTakes(pattern, full)) &&
      namespaces.every((namespace) => isVisible(one, namespace, one.spec.exportTo)),
  );
  return entry === undefined ? undefined : (entry.spec.ports ?? []).map(({ number }: { number: number }) => number);
}

function hasSubset(objects: readonly Analysed[], seer: Analysed, host: string, subset: string): boolean {
  return ofKind(objects, 'DestinationRule').some(
    (rule) =>
      fullHost(rule.spec.host, namespaceOf(rule)) === fullHost(host, namespaceOf(seer)) &&
      isVisible(rule, namespaceOf(seer), rule.spec.exportTo) &&
      (rule.spec.subsets ?? []).some(({ name }: { name: string }) => name === subset),
  );
}
