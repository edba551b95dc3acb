/** Gateways that contradict each other; DestinationRules without a host or pods. */
import { type Analysed, type Analyzer, fullHost, hostTakes, namespaceOf, ofKind, selects, titleOf } from './objects.ts';

interface Server {
  readonly port: { readonly number: number; readonly protocol: string };
  readonly hosts: readonly string[];
}

/** Reports two Gateways of one workload with the same port and host. */
export const conflictingGateways: Analyzer = (objects) => {
  const gateways = ofKind(objects, 'Gateway');
  return gateways
    .filter((one) => gateways.some((other) => other !== one && sameWorkload(one, other) && shareServer(one, other)))
    .map((gateway) => ({ message: 'ConflictingGateways', object: titleOf(gateway) }));
};

function sameWorkload(a: Analysed, b: Analysed): boolean {
  return selects(a.spec.selector ?? {}, b.spec.selector) && selects(b.spec.selector ?? {}, a.spec.selector);
}

function shareServer(a: Analysed, b: Analysed): boolean {
  return (a.spec.servers ?? []).some((one: Server) =>
    (b.spec.servers ?? []).some(
      (other: Server) =>
        one.port.number === other.port.number &&
        one.hosts.some((host) =>
          other.hosts.some((unmanaged) => hostTakes(unmanaged, host) || hostTakes(host, unmanaged)),
        ),
    ),
  );
}

/** Reports a rule for a host that is not defined, and subsets of a Service that match none of its pods. */
export const destinationRules: Analyzer = (objects) =>
  ofKind(objects, 'DestinationRule').flatMap((rule) => {
    const host = fullHost(rule.spec.host, namespaceOf(rule));
    const entry = ofKind(objects, 'ServiceEntry').some(({ spec }) =>
      spec.hosts.some((pattern: string) => hostTakes(pattern, host)),
    );
    const service = ofKind(objects, 'Service').find(
      (one) => host === `${one.metadata.name}.${namespaceOf(one)}.svc.cluster.local`,
    );
    if (service === undefined) return entry ? [] : [{ message: 'UnknownDestinationRuleHost', object: titleOf(rule) }];
    if (entry) return [];
    return (rule.spec.subsets ?? [])
      .filter(({ labels = {} }: { labels?: Record<string, string> }) => !selectsSome(objects, service, labels))
      .map(() => ({ message: 'DestinationRuleSubsetNotSelectPods', object: titleOf(rule) }));
  });

function selectsSome(
  objects: readonly Analysed[],
  service: Analysed,
  labels: Readonly<Record<string, string>>,
): boolean {
  const own = Object.fromEntries(Object.entries(labels).filter(([name]) => !name.startsWith('topology.')));
  const places = Object.entries(labels).filter(([name]) => name.startsWith('topology.'));
  const nodes = ofKind(objects, 'Node');
  return ofKind(objects, 'Pod').some(
    (pod) =>
      namespaceOf(pod) === namespaceOf(service) &&
      selects({ ...(service.spec.selector ?? {}), ...own }, pod.metadata.labels) &&
      places.every(([name, value]) => value !== '' && nodes.some(({ metadata }) => metadata.labels?.[name] === value)),
  );
}
