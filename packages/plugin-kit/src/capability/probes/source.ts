/** Probes of whose requests a route takes. */
import { ANY_RULES, type Probe, type Probes, traffic } from '../probe.ts';

const from = (kubeWorkloadMatcher: object): Probe => ({
  asks: [traffic({ sourceSelector: [{ kubeWorkloadMatcher }], policy: ANY_RULES })],
  without: [traffic({ policy: ANY_RULES })],
  refused: [],
});

export const SOURCE_PROBES: Probes<'source'> = {
  'source.labels': from({ labels: { app: 'buyer' } }),
  'source.namespaces': from({ namespaces: ['shop'] }),
  'source.clusters': from({ clusters: ['cluster-2'] }),
};
