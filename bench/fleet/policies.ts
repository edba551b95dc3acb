/** The policies of a fleet: 70 % by label on 1 to 20 destinations, 29 % by namespace, up to 10 on everything. */
import type {
  AccessPolicy,
  DestinationSelector,
  HttpMatcher,
  KubeObject,
  TrafficPolicy,
  TrafficRules,
} from '@meshrelay/api';
import type { Random } from './random.ts';
import {
  clusterOf,
  EDITED_DESTINATIONS,
  EDITED_POLICIES,
  EDITED_SERVICES,
  type FleetShape,
  MESH_WIDE_POLICIES,
  namespaceOf,
  serviceName,
  teamNamespaces,
} from './shape.ts';

const API_VERSION = 'networking.meshrelay.dev/v1alpha1';
const NAMESPACE = 'meshrelay';
/** Labels that policies select by; a service may have several, each with one value. */
const GROUP_LABELS = 32;

/** The policies, and the labels by which some of them select services. */
export interface PolicySet {
  readonly policies: ReadonlyArray<TrafficPolicy | AccessPolicy>;
  readonly groupLabels: ReadonlyMap<number, Readonly<Record<string, string>>>;
}

/**
 * The policy that edits change, before the first edit and after each: edits change `timeoutMs`. In a workspace it
 * selects everything that the workspace has and imports.
 */
export function editedPolicy(
  { workspaces = false }: Pick<FleetShape, 'workspaces'>,
  position: number,
  timeoutMs: number,
  generation: number,
): TrafficPolicy {
  const labels = { [`group.example/${position % GROUP_LABELS}`]: `edited-${position}` };
  const selector = workspaces ? undefined : [{ kubeServiceMatcher: { labels } }];
  const rules = { requestTimeout: `${timeoutMs}ms` };
  const policy = trafficPolicy(`edited-${position}`, selector, rules, undefined, generation);
  return workspaces ? { ...policy, metadata: { ...policy.metadata, namespace: `edited-${position}` } } : policy;
}

export function makePolicies(shape: FleetShape, random: Random): PolicySet {
  const meshWide = Math.min(MESH_WIDE_POLICIES, Math.floor(shape.policies / 100));
  const byLabel = Math.round(shape.policies * 0.7);
  const groupLabels = new Map<number, Record<string, string>>();
  const label = (service: number, name: string, value: string): void => {
    groupLabels.set(service, { ...groupLabels.get(service), [name]: value });
  };
  for (let service = 0; service < EDITED_SERVICES; service++) {
    const position = Math.floor(service / EDITED_DESTINATIONS);
    label(service, `group.example/${position % GROUP_LABELS}`, `edited-${position}`);
  }
  const policies: Array<TrafficPolicy | AccessPolicy> = [];
  for (let position = 0; position < EDITED_POLICIES; position++) policies.push(editedPolicy(shape, position, 1_000, 1));
  for (let position = EDITED_POLICIES; position < byLabel; position++) {
    const name = `group.example/${position % GROUP_LABELS}`;
    const value = `group-${position}`;
    for (let left = random.between(1, 20); left > 0; left--)
      label(random.between(EDITED_SERVICES, shape.services - 1), name, value);
    policies.push(labelPolicy(shape, position, { kubeServiceMatcher: { labels: { [name]: value } } }, random));
  }
  for (let position = 0; position < shape.policies - byLabel - meshWide; position++)
    policies.push(namespacePolicy(shape, position, random));
  for (let position = 0; position < meshWide; position++) policies.push(meshWidePolicy(position));
  return { policies, groupLabels };
}

function labelPolicy(
  shape: FleetShape,
  position: number,
  selector: DestinationSelector,
  random: Random,
): TrafficPolicy | AccessPolicy {
  const name = `label-${position}`;
  switch (position % 10) {
    case 0:
    case 1:
    case 2:
      return accessPolicy(name, [selector], random);
    case 3: {
      const target = reachableService(shape, random.between(EDITED_SERVICES, shape.services - 1));
      const kubeService = {
        name: serviceName(target),
        namespace: namespaceOf(target),
        clusterName: clusterOf(shape, target),
      };
      const destinations = [
        { kubeService: { ...kubeService, port: 8080, subset: { version: 'v1' } }, weight: 75 },
        { kubeService: { ...kubeService, port: 8080, subset: { version: 'v2' } }, weight: 25 },
      ];
      return trafficPolicy(name, [selector], { trafficShift: { destinations } }, [
        { uri: { prefix: `/shift-${position}` } },
      ]);
    }
    case 4:
      return trafficPolicy(name, [selector], { faultInjection: { abort: { httpStatus: 503 }, percentage: 1 } }, [
        { uri: { exact: `/fault-${position}` }, headers: [{ name: 'x-test', value: 'true' }] },
      ]);
    default:
      return trafficPolicy(
        name,
        [selector],
        {
          requestTimeout: `${random.between(1, 30)}s`,
          headerManipulation: { appendRequestHeaders: { 'x-group': name } },
        },
        [{ uri: { prefix: `/api-${position}` }, method: 'GET' }],
      );
  }
}

/** A service to which every cluster can send requests, if services are federated at all. */
function reachableService({ exportEvery }: FleetShape, service: number): number {
  return exportEvery > 0 ? service - (service % exportEvery) : service;
}

/** Each edited policy's namespace gets one, then the other namespaces in turn. */
function namespacePolicy(shape: FleetShape, position: number, random: Random): TrafficPolicy | AccessPolicy {
  const namespace =
    position < EDITED_POLICIES
      ? namespaceOf(position * EDITED_DESTINATIONS)
      : `team-${(position - EDITED_POLICIES) % teamNamespaces(shape)}`;
  const selector = [{ kubeServiceMatcher: { namespaces: [namespace] } }];
  const policy =
    position >= EDITED_POLICIES && position % 4 === 0
      ? accessPolicy(`namespace-${position}`, selector, random)
      : trafficPolicy(`namespace-${position}`, selector, { requestTimeout: '20s' }, [
          { uri: { prefix: `/namespace-${position}` } },
        ]);
  return shape.workspaces === true ? { ...policy, metadata: { ...policy.metadata, namespace } } : policy;
}

/** Each sets a field that no other policy on everything sets. */
function meshWidePolicy(position: number): TrafficPolicy | AccessPolicy {
  const rules: readonly TrafficRules[] = [
    { retries: { attempts: 3, perTryTimeout: '2s' } },
    { outlierDetection: { consecutiveErrors: 7, interval: '30s' } },
    { connectionPool: { tcp: { maxConnections: 1000 }, http: { http2MaxRequests: 500 } } },
    { mtls: { istio: { tlsMode: 'ISTIO_MUTUAL' } } },
    { corsPolicy: { allowOrigins: [{ exact: 'https://shop.example' }], allowMethods: ['GET'], maxAge: '1h' } },
    { headerManipulation: { removeResponseHeaders: ['x-internal'] } },
  ];
  const policy = rules[position];
  const name = `everything-${position}`;
  if (policy !== undefined) return trafficPolicy(name, undefined, policy);
  const spec = { allowedMethods: [['GET', 'POST', 'PUT', 'DELETE'][position % 4] as string] };
  return { apiVersion: API_VERSION, kind: 'AccessPolicy', metadata: metadata(name), spec };
}

function accessPolicy(name: string, destinationSelector: readonly DestinationSelector[], random: Random): AccessPolicy {
  const namespace = `team-${random.between(0, 9)}`;
  const spec = {
    destinationSelector,
    sourceSelector: [{ kubeIdentityMatcher: { namespaces: [namespace] } }],
    allowedPaths: [`/${name}/*`],
    allowedMethods: ['GET'],
  };
  return { apiVersion: API_VERSION, kind: 'AccessPolicy', metadata: metadata(name), spec };
}

function trafficPolicy(
  name: string,
  destinationSelector: readonly DestinationSelector[] | undefined,
  policy: TrafficRules,
  httpRequestMatchers?: readonly HttpMatcher[],
  generation = 1,
): TrafficPolicy {
  return {
    apiVersion: API_VERSION,
    kind: 'TrafficPolicy',
    metadata: metadata(name, generation),
    spec: {
      ...(destinationSelector === undefined ? {} : { destinationSelector }),
      ...(httpRequestMatchers === undefined ? {} : { httpRequestMatchers }),
      policy,
    },
  };
}

function metadata(name: string, generation = 1): KubeObject['metadata'] {
  return { name, namespace: NAMESPACE, generation, uid: `uid-${name}` };
}
