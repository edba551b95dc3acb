/** Probes of whose requests a route takes. */
import { ANY_RULES, type Probe, type Probes, traffic, virtualMesh } from '../probe.ts';

const from = (kubeWorkloadMatcher: object): Probe => ({
  asks: [traffic({ sourceSelector: [{ kubeWorkloadMatcher }], policy: ANY_RULES })],
  without: [traffic({ policy: ANY_RULES })],
  refused: [],
});

const federated = virtualMesh({ federation: { mode: 'ALL' } });

export const SOURCE_PROBES: Probes<'source'> = {
  'source.labels': from({ labels: { app: 'buyer' } }),
  'source.namespaces': from({ namespaces: ['shop'] }),
  // Of two clusters that call: callers of the other one are to go without.
  'source.clusters': {
    asks: [
      federated,
      traffic({ sourceSelector: [{ kubeWorkloadMatcher: { clusters: ['cluster-1'] } }], policy: ANY_RULES }),
    ],
    without: [federated, traffic({ policy: ANY_RULES })],
    refused: [federated],
  },
};
