/** PeerAuthentications: of those for a whole mesh or namespace the oldest counts, and those for some pods go first. What they demand of callers meets what DestinationRules have callers do. */
import type { Encounter, NativeObject, Rivalry } from '@meshrelay/relay-core';
import { PEER_AUTHENTICATION } from '../kinds.ts';
import { type Fields, fieldsOf, namespaceOf, selectedLabels, sharedPods, specOf } from './spec.ts';

/** The word for what holds for pods of a namespace. */
export function wordOfNamespace(namespace: string): string {
  return `PeerAuthentication ${namespace}`;
}

export const peerAuthentications: Rivalry = {
  foundBy: (theirs) => [wordOfNamespace(namespaceOf(theirs))],
  looksFor: (ours) => (selectsPods(specOf(ours)) ? [] : [wordOfNamespace(namespaceOf(ours))]),
  meet(ours, theirs, _meshes, pods): Encounter | undefined {
    const spec = specOf(theirs);
    if (selectsPods(spec)) return ours.kind === PEER_AUTHENTICATION.kind ? undefined : callersAndSome(ours, spec, pods);
    const mode = mtlsMode(spec);
    if (ours.kind !== PEER_AUTHENTICATION.kind)
      return callersAndPods(ours, mode, `pods of ${String(specOf(ours)['host']).split('.')[1]}`);
    if (mode === mtlsMode(specOf(ours)))
      return { effect: 'noted', text: `demands mutual TLS of the whole mesh already` };
    return {
      effect: 'withheld',
      text: `has the mode ${mode} for the whole mesh, and of two such PeerAuthentications the oldest counts`,
    };
  },
};

/** A DestinationRule of ours about a Service of that namespace. */
function callersAndPods(rule: NativeObject, mode: string, pods: string): Encounter | undefined {
  const spec = specOf(rule);
  const [, namespace] = String(spec['host']).split('.');
  const tls = fieldsOf(fieldsOf(spec['trafficPolicy'])['tls'])['mode'];
  if (namespace !== namespaceOf(rule) || tls === undefined) return undefined;
  if (mode === 'DISABLE' && tls === 'ISTIO_MUTUAL')
    return {
      effect: 'degraded',
      text: `has the mode DISABLE for ${pods}, which then do not understand callers with mutual TLS`,
    };
  if (mode === 'STRICT' && tls !== 'ISTIO_MUTUAL')
    return {
      effect: 'degraded',
      text: `has the mode STRICT for ${pods}, which then refuse callers without mutual TLS`,
    };
  return undefined;
}

/** The same for pods behind the Service, or some of them; of its ports one may have a mode of its own. */
function callersAndSome(
  rule: NativeObject,
  spec: Fields,
  behind: Readonly<Record<string, string>> | undefined,
): Encounter | undefined {
  const selected = selectedLabels(spec);
  if (behind === undefined || sharedPods(behind, selected) === undefined) return undefined;
  const labels = Object.entries(selected).map(([name, value]) => `${name}=${value}`);
  const pods = `pods with ${labels.join(',')} behind it`;
  const ports = Object.entries(fieldsOf(spec['portLevelMtls'])).map(([port, at]) => {
    const { mode } = fieldsOf(at);
    return [typeof mode === 'string' ? mode : 'UNSET', `port ${port} of ${pods}`] as const;
  });
  return [[mtlsMode(spec), pods] as const, ...ports]
    .map(([mode, where]) => callersAndPods(rule, mode, where))
    .find((found) => found !== undefined);
}

/** The mode for all ports; without one, that of what is above it. */
export function mtlsMode(spec: Fields): string {
  const { mode } = fieldsOf(spec['mtls']);
  return typeof mode === 'string' ? mode : 'UNSET';
}

/** Whether it is about some pods of its namespace only. */
export function selectsPods(spec: Fields): boolean {
  return Object.keys(selectedLabels(spec)).length > 0;
}
