/** Service and Endpoints. */
import type { SchemaNode } from '../object.ts';
import {
  atomic,
  flag,
  int32,
  intOrText,
  listBy,
  listOf,
  mapOf,
  mergedBy,
  patched,
  record,
  text,
  textOr,
} from './build.ts';
import { objectReference } from './core-reference.ts';
import { condition, kind } from './meta.ts';

const servicePort = record(
  { appProtocol: text, name: text, nodePort: int32, port: int32, protocol: textOr('TCP'), targetPort: intOrText },
  'port',
);

const clientIPConfig = record({ timeoutSeconds: int32 });

const sessionAffinityConfig = record({ clientIP: clientIPConfig });

const serviceSpec = record({
  allocateLoadBalancerNodePorts: flag,
  clusterIP: text,
  clusterIPs: listOf(text),
  externalIPs: listOf(text),
  externalName: text,
  externalTrafficPolicy: text,
  healthCheckNodePort: int32,
  internalTrafficPolicy: textOr('Cluster'),
  ipFamilies: listOf(text),
  ipFamilyPolicy: text,
  loadBalancerClass: text,
  loadBalancerIP: text,
  loadBalancerSourceRanges: listOf(text),
  ports: patched(listBy(['port', 'protocol'], servicePort), 'merge', 'port'),
  publishNotReadyAddresses: flag,
  selector: atomic(mapOf(text)),
  sessionAffinity: textOr('None'),
  sessionAffinityConfig,
  trafficDistribution: text,
  type: textOr('ClusterIP'),
});

const portStatus = record({ error: text, port: int32, protocol: text }, 'port', 'protocol');

const loadBalancerIngress = record({ hostname: text, ip: text, ipMode: text, ports: listOf(portStatus) });

const loadBalancerStatus = record({ ingress: listOf(loadBalancerIngress) });

const serviceStatus = record({ conditions: mergedBy('type', condition), loadBalancer: loadBalancerStatus });

/** v1 Service; ports are identified by port and protocol. */
export const service: SchemaNode = kind({ spec: serviceSpec, status: serviceStatus });

const endpointAddress = atomic(record({ hostname: text, ip: text, nodeName: text, targetRef: objectReference }, 'ip'));

const endpointPort = atomic(record({ appProtocol: text, name: text, port: int32, protocol: textOr('TCP') }, 'port'));

const endpointSubset = record({
  addresses: listOf(endpointAddress),
  notReadyAddresses: listOf(endpointAddress),
  ports: listOf(endpointPort),
});

/** v1 Endpoints. */
export const endpoints: SchemaNode = kind({ subsets: listOf(endpointSubset) });
