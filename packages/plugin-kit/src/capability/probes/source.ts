/** Probes of the callers that a route matches. */
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
  // Both clusters have callers; those of the other cluster must not get the route.
  'source.clusters': {
    asks: [
      federated,
      traffic({ sourceSelector: [{ kubeWorkloadMatcher: { clusters: ['cluster-1'] } }], policy: ANY_RULES }),
    ],
    without: [federated, traffic({ policy: ANY_RULES })],
    refused: [federated],
  },
};
