/** Services: addresses and node ports that the server allocates. */
import type { FieldError } from '../../errors/field-error.ts';
import { invalid, required } from '../../errors/field-error.ts';
import type { KubeObject } from '../../object.ts';
import type { ResourceStrategy, StrategyContext } from '../definition.ts';

interface Port {
  name?: string;
  port: number;
  targetPort?: number | string;
  nodePort?: number;
}

/** First port of the node port range, and its length. */
const NODE_PORTS = { first: 30_000, count: 2768 } as const;
/** Cluster addresses come from 10.96.0.0/16; the first ones are reserved for system services. */
const FIRST_ADDRESS = 100;
const ADDRESS_COUNT = 65_000;

/** Services. */
export const service: ResourceStrategy = {
  tracksGeneration: false,
  nameRule: 'service',
  createsOnUpdate: true,
  returnsDeleted: true,
  zero: { spec: {}, status: { loadBalancer: {} } },
  default(draft) {
    const spec = draft['spec'] ?? {};
    if (spec.type === 'ExternalName') delete spec.internalTrafficPolicy;
    if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
    if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') spec.externalTrafficPolicy ??= 'Cluster';
    for (const port of portsOf(draft)) port.targetPort ??= port.port;
  },
  prepareCreate: (draft, context) => {
    draft['status'] = { loadBalancer: {} };
    allocate(draft, context);
  },
  prepareUpdate(draft, live, context) {
    const spec = draft['spec'] ?? {};
    const before = live['spec'] ?? {};
    if (spec.type !== 'ExternalName' && before.type !== 'ExternalName') {
      spec.clusterIP ??= before.clusterIP;
      spec.clusterIPs ??= before.clusterIPs;
    }
    const former = portsOf(live);
    for (const port of portsOf(draft)) {
      const known = former.find((each) => each.port === port.port && each.name === port.name)?.nodePort;
      if (port.nodePort === undefined && known !== undefined && takesNodePorts(draft)) port.nodePort = known;
    }
    allocate(draft, context);
  },
  validate: validateService,
};

function portsOf(service: KubeObject): Port[] {
  return service['spec']?.ports ?? [];
}

function takesNodePorts(service: KubeObject): boolean {
  const { type, allocateLoadBalancerNodePorts } = service['spec'] ?? {};
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);
}

function allocate(draft: KubeObject, context: StrategyContext): void {
  draft['spec'] ??= {};
  const spec = draft['spec'];
  if (spec.type === 'ExternalName') return;
  if (spec.clusterIP === undefined || spec.clusterIP === '') spec.clusterIP = freeAddress(context);
  spec.clusterIPs = [spec.clusterIP];
  spec.ipFamilies ??= ['IPv4'];
  spec.ipFamilyPolicy ??= 'SingleStack';
  if (takesNodePorts(draft)) for (const port of portsOf(draft)) port.nodePort ??= freeNodePort(context, draft);
}

function freeAddress(context: StrategyContext): string {
  const taken = new Set<string>();
  for (const each of context.list('', 'services')) taken.add(each['spec']?.clusterIP);
  for (let index = FIRST_ADDRESS; index < ADDRESS_COUNT; index++) {
    const address = `10.96.${index >> 8}.${index & 255}`;
    if (!taken.has(address)) return address;
  }
  throw new Error('no cluster address is left in 10.96.0.0/16: delete some Services');
}

function freeNodePort(context: StrategyContext, draft: KubeObject): number {
  const taken = new Set(portsOf(draft).map((port) => port.nodePort));
  for (const each of context.list('', 'services')) for (const port of portsOf(each)) taken.add(port.nodePort);
  for (let index = 0; index < NODE_PORTS.count; index++)
    if (!taken.has(NODE_PORTS.first + index)) return NODE_PORTS.first + index;
  throw new Error(`no node port is left from ${NODE_PORTS.first} on: delete some Services`);
}

function validateService(service: KubeObject, live: KubeObject | undefined): FieldError[] {
  const spec = service['spec'] ?? {};
  const ports = portsOf(service);
  const errors: FieldError[] = [];
  if (spec.type === 'ExternalName' && !spec.externalName) errors.push(required('spec.externalName'));
  if (ports.length === 0 && spec.type !== 'ExternalName' && spec.clusterIP !== 'None')
    errors.push(required('spec.ports'));
  for (const [index, port] of ports.entries()) {
    if (ports.length > 1 && !port.name) errors.push(required(`spec.ports[${index}].name`));
    if (!(port.port >= 1 && port.port <= 65_535))
      errors.push(invalid(`spec.ports[${index}].port`, port.port ?? 0, 'must be between 1 and 65535, inclusive'));
  }
  const before = live?.['spec']?.clusterIP;
  if (before && spec.type !== 'ExternalName' && spec.clusterIP !== before)
    errors.push(invalid('spec.clusterIPs[0]', [spec.clusterIP], 'may not change once set'));
  return errors;
}
