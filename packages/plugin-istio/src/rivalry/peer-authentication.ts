/** PeerAuthentications for a whole namespace: the oldest counts. What they demand of callers meets what DestinationRules have callers do. */
import type { Encounter, NativeObject, Rivalry } from '@meshrelay/relay-core';
import { PEER_AUTHENTICATION } from '../kinds.ts';
import { type Fields, fieldsOf, labelsOf, namespaceOf, specOf } from './spec.ts';

/** The word for what holds for all pods of a namespace. */
export function wordOfNamespace(namespace: string): string {
  return `PeerAuthentication ${namespace}`;
}

export const peerAuthentications: Rivalry = {
  foundBy: (theirs) => (selectsPods(specOf(theirs)) ? [] : [wordOfNamespace(namespaceOf(theirs))]),
  looksFor: (ours) => (selectsPods(specOf(ours)) ? [] : [wordOfNamespace(namespaceOf(ours))]),
  meet(ours, theirs): Encounter | undefined {
    const mode = mtlsMode(specOf(theirs));
    if (ours.kind !== PEER_AUTHENTICATION.kind) return callersAndPods(ours, mode);
    if (mode === mtlsMode(specOf(ours)))
      return { effect: 'noted', text: `demands mutual TLS of the whole mesh already` };
    return {
      effect: 'withheld',
      text: `has the mode ${mode} for the whole mesh, and of two such PeerAuthentications the oldest counts`,
    };
  },
};

/** A DestinationRule of ours about a Service of that namespace. */
function callersAndPods(rule: NativeObject, mode: string): Encounter | undefined {
  const spec = specOf(rule);
  const [, namespace] = String(spec['host']).split('.');
  const tls = fieldsOf(fieldsOf(spec['trafficPolicy'])['tls'])['mode'];
  if (namespace !== namespaceOf(rule) || tls === undefined) return undefined;
  if (mode === 'DISABLE' && tls === 'ISTIO_MUTUAL')
    return {
      effect: 'degraded',
      text: `has the mode DISABLE for pods of ${namespace}, which then do not understand callers with mutual TLS`,
    };
  if (mode === 'STRICT' && tls !== 'ISTIO_MUTUAL')
    return {
      effect: 'degraded',
      text: `has the mode STRICT for pods of ${namespace}, which then refuse callers without mutual TLS`,
    };
  return undefined;
}

/** The mode for all ports; without one, that of what is above it. */
export function mtlsMode(spec: Fields): string {
  const { mode } = fieldsOf(spec['mtls']);
  return typeof mode === 'string' ? mode : 'UNSET';
}

/** Whether it is about some pods of its namespace only. */
export function selectsPods(spec: Fields): boolean {
  return Object.keys(labelsOf(fieldsOf(spec['selector'])['matchLabels'])).length > 0;
}
