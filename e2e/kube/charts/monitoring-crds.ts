/**
 * The two kinds of the Prometheus operator that the charts write, without their schemas: only their presence matters
 * here.
 */
export const MONITORING_CRDS = ['PodMonitor', 'PrometheusRule'].map((kind) => {
  const plural = `${kind.toLowerCase()}s`;
  const group = 'monitoring.coreos.com';
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
});
