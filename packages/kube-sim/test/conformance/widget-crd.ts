/** The custom kind that the cases write. */

/** Group of the kind. */
export const WIDGET_GROUP = 'conformance.meshrelay.dev';
/** `apiVersion` of the kind. */
export const WIDGET_VERSION = `${WIDGET_GROUP}/v1`;

/** A CustomResourceDefinition with one version; `spec` is merged over the default parts. */
export function crd(
  group: string,
  plural: string,
  kind: string,
  schema: object,
  more: object = {},
): Record<string, unknown> {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more }],
    },
  };
}

const text = { type: 'string' };

/** Widgets: every list and map type, defaults, enums, ranges, a union, free-form parts, status and scale. */
export const WIDGET_CRD: Record<string, unknown> = crd(
  WIDGET_GROUP,
  'widgets',
  'Widget',
  {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          name: { type: 'string', maxLength: 10 },
          color: { type: 'string', enum: ['red', 'green', 'blue'] },
          code: { type: 'string', pattern: '^[a-z]+$' },
          when: { type: 'string', format: 'date-time' },
          replicas: { type: 'integer', minimum: 0 },
          mode: { type: 'string', default: 'auto' },
          note: { type: 'string', nullable: true },
          tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
          plain: { type: 'array', items: text, maxItems: 3 },
          ports: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['port', 'protocol'],
            items: {
              type: 'object',
              required: ['port'],
              properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' }, name: text },
            },
          },
          atom: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text, b: text } },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          either: {
            type: 'object',
            properties: { left: text, right: text },
            oneOf: [{ required: ['left'] }, { required: ['right'] }],
          },
          needs: { type: 'object', required: ['it'], properties: { it: text } },
        },
      },
      status: { type: 'object', properties: { phase: text, replicas: { type: 'integer' } } },
    },
  },
  {
    subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
    additionalPrinterColumns: [
      { name: 'Color', type: 'string', jsonPath: '.spec.color' },
      { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', description: 'How many.' },
      { name: 'Phase', type: 'string', jsonPath: '.status.phase', priority: 1 },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
    selectableFields: [{ jsonPath: '.spec.color' }],
  },
);

/** A Widget. */
export function widget(name: string, spec: object = {}, metadata: object = {}): Record<string, unknown> {
  return { apiVersion: WIDGET_VERSION, kind: 'Widget', metadata: { name, ...metadata }, spec };
}

/** A ConfigMap. */
export function configMap(name: string, data: object = {}, metadata: object = {}): Record<string, unknown> {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}
