/**
 * The shapes of the kinds that discovery reads, with the types of `kubernetes.ts`. Add every new field that discovery
 * reads to both.
 */
import type { RecordShape, Shape } from './shape.ts';

const record = (fields: Readonly<Record<string, Shape>>, ...required: readonly string[]): RecordShape => ({
  fields,
  required,
});
const listOf = (list: Shape): Shape => ({ list });
const TEXTS: Shape = listOf('string');
const LABELS: Shape = { map: 'string' };

const METADATA: RecordShape = {
  fields: {
    name: 'string',
    namespace: 'string',
    uid: 'string',
    generation: 'number',
    labels: LABELS,
    annotations: LABELS,
    ownerReferences: listOf(
      record(
        { apiVersion: 'string', kind: 'string', name: 'string', controller: 'boolean' },
        'apiVersion',
        'kind',
        'name',
      ),
    ),
  },
  required: ['name'],
  essential: ['namespace'],
};

const CONTAINERS = listOf(
  record(
    {
      name: 'string',
      image: 'string',
      env: listOf(record({ name: 'string', value: 'string' }, 'name')),
      ports: listOf(record({ name: 'string', containerPort: 'number' }, 'containerPort')),
    },
    'name',
  ),
);

const POD_SPEC: RecordShape = {
  fields: {
    serviceAccountName: 'string',
    nodeName: 'string',
    hostNetwork: 'boolean',
    containers: CONTAINERS,
    initContainers: CONTAINERS,
  },
  // An omitted account means `default`.
  essential: ['serviceAccountName'],
};

const TEMPLATE = record({ metadata: record({ labels: LABELS, annotations: LABELS }), spec: POD_SPEC });
const CONTROLLER: RecordShape = record({ spec: record({ template: TEMPLATE }) });
const STATEFUL_SET: RecordShape = record({
  spec: record({ template: TEMPLATE, replicas: 'number', ordinals: record({ start: 'number' }) }),
});

const SERVICE = record({
  spec: record({
    type: 'string',
    selector: LABELS,
    ports: listOf(
      record(
        {
          port: 'number',
          name: 'string',
          protocol: 'string',
          appProtocol: 'string',
          targetPort: 'number or string',
          nodePort: 'number',
        },
        'port',
      ),
    ),
    externalIPs: TEXTS,
    externalName: 'string',
    clusterIP: 'string',
  }),
  status: record({ loadBalancer: record({ ingress: listOf(record({ ip: 'string', hostname: 'string' })) }) }),
});

const NODE = record({
  spec: record({ podCIDR: 'string', podCIDRs: TEXTS }),
  status: record({
    addresses: listOf(record({ type: 'string', address: 'string' }, 'type', 'address')),
    conditions: listOf(record({ type: 'string', status: 'string' }, 'type', 'status')),
  }),
});

const ENDPOINT_SLICE = record({
  addressType: 'string',
  endpoints: listOf(
    record(
      {
        addresses: TEXTS,
        conditions: record({ ready: 'boolean' }),
        nodeName: 'string',
        zone: 'string',
        targetRef: record({ kind: 'string', name: 'string', namespace: 'string' }),
      },
      'addresses',
    ),
  ),
  ports: listOf(record({ name: 'string', port: 'number', protocol: 'string', appProtocol: 'string' })),
});

/** By group and kind; for every other kind only the metadata is checked. */
const KINDS: Readonly<Record<string, RecordShape>> = {
  '/Pod': record({ spec: POD_SPEC, status: record({ phase: 'string', podIP: 'string' }) }),
  '/Service': SERVICE,
  '/Node': NODE,
  '/ConfigMap': record({ data: LABELS }),
  'apps/Deployment': CONTROLLER,
  'apps/ReplicaSet': CONTROLLER,
  'apps/StatefulSet': STATEFUL_SET,
  'apps/DaemonSet': CONTROLLER,
  'discovery.k8s.io/EndpointSlice': ENDPOINT_SLICE,
};

const OTHERS: RecordShape = withMetadata({ fields: {} });
const SHAPES: ReadonlyMap<string, RecordShape> = new Map(
  Object.entries(KINDS).map(([id, shape]) => [id, withMetadata(shape)]),
);

export function shapeOf(group: string, kind: string): RecordShape {
  return SHAPES.get(`${group}/${kind}`) ?? OTHERS;
}

function withMetadata({ fields }: RecordShape): RecordShape {
  return record({ ...fields, metadata: METADATA }, 'metadata');
}
