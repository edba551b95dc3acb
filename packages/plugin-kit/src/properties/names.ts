/** Names of generated objects are valid and unique for all names of users' objects. */
import type { NativeObject } from '@meshrelay/plugin';
import { probePolicies } from '../capability/probe-fleet.ts';
import { expandFleet } from '../fleet/expand-fleet.ts';
import type { ClusterSpec } from '../fleet/fleet-spec.ts';
import type { PolicySpec } from '../fleet/policy-object.ts';
import type { TestedPlugin } from '../tested-plugin.ts';
import { expectedOf } from './outcome.ts';
import type { Property, TestFleet } from './property.ts';

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
const LABEL_KEY = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/**
 * Every name is an RFC 1123 subdomain of at most 253 characters, every label is valid, and no two views have the same
 * name.
 */
export const legalNames: Property = (tested, fleets) => {
  for (const { name, fleet } of [adversarialFleet(tested), ...fleets]) {
    const { objects, reports } = expectedOf(tested, fleet);
    for (const object of objects) {
      const problem = nameProblem(object);
      if (problem !== undefined) throw new Error(`${name}: ${object.kind} ${object.metadata.name}: ${problem}`);
    }
    const clash = reports.find(({ code }) => code === 'DUPLICATE_OUTPUT');
    if (clash !== undefined) throw new Error(`${name}: ${clash.message}`);
  }
};

/** The error of an API server about an object's names, or undefined. */
function nameProblem({ metadata }: NativeObject): string | undefined {
  const { name, namespace, labels = {}, annotations = {} } = metadata;
  if (name.length > 253) return `its name has ${name.length} characters, of at most 253`;
  if (!SUBDOMAIN.test(name))
    return 'its name is not an RFC 1123 subdomain: lower case letters, digits, - and . between them';
  if (namespace !== undefined && (namespace.length > 63 || !LABEL.test(namespace)))
    return `its namespace ${namespace} is not an RFC 1123 label of at most 63 characters`;
  for (const [key, value] of Object.entries(labels)) {
    const short = key.slice(key.indexOf('/') + 1);
    if (!LABEL_KEY.test(key) || short.length > 63) return `the name of its label ${key} is not legal`;
    if (typeof value !== 'string') return `its label ${key} is ${JSON.stringify(value)}; expected a text`;
    if (!LABEL_VALUE.test(value) || value.length > 63)
      return `its label ${key} has the value ${value}, which is not legal; it takes at most 63 letters, digits, -, _ and .`;
  }
  for (const [key, value] of Object.entries(annotations)) {
    const short = key.slice(key.indexOf('/') + 1);
    if (!LABEL_KEY.test(key) || short.length > 63) return `the name of its annotation ${key} is not legal`;
    if (typeof value !== 'string') return `its annotation ${key} is ${JSON.stringify(value)}; expected a text`;
  }
  return undefined;
}

const LONG = 'x'.repeat(63);
/** Names of ServiceAccounts are subdomains: as long as those may be, and with dots. */
const LONG_ACCOUNT = `${'a.'.repeat(126)}z`;

/**
 * Names of maximum length, names that are equal when concatenated without a separator, and names with dots where
 * allowed.
 */
function adversarialFleet(tested: TestedPlugin): TestFleet {
  const cluster: ClusterSpec = {
    services: Object.fromEntries(
      [
        `${LONG}.${'y'.repeat(63)}`,
        `${LONG.slice(1)}w.${'y'.repeat(63)}`,
        'a-b.c',
        'a.b-c',
        'c-a.b',
        'a.b',
        'a-b.b',
        '0.0',
        'a.c',
      ].map((service) => [
        service,
        { ports: ['http:80:8080', 'tcp-x:81:8081'], accounts: [LONG_ACCOUNT, 'a.b', 'a-b'] },
      ]),
    ),
  };
  const { plugin, fixture } = tested;
  const long = 'cluster-'.padEnd(63, 'z');
  const fleet = expandFleet(
    { about: '', clusters: { a: cluster, 'a-b': cluster, [long]: cluster } },
    { type: plugin.name, fixture },
  );
  const serviceAccounts = ['a', 'a-b', long].flatMap((clusterName) =>
    [LONG_ACCOUNT, `${LONG_ACCOUNT.slice(0, -1)}y`, 'a.b', 'a-b', 'a'].flatMap((name) =>
      ['c', 'b', 'b-c', 'y'.repeat(63)].map((namespace) => ({ name, namespace, clusterName })),
    ),
  );
  const policies: readonly PolicySpec[] = [
    { VirtualMesh: LONG_ACCOUNT, spec: { globalAccessPolicy: 'ENABLED', federation: { mode: 'ALL' } } },
    {
      AccessPolicy: LONG_ACCOUNT,
      spec: { sourceSelector: [{ kubeServiceAccountRefs: { serviceAccounts } }], allowedMethods: ['GET'] },
    },
    { AccessPolicy: 'refuses', spec: { action: 'DENY', allowedPaths: ['/no'] } },
    {
      TrafficPolicy: LONG_ACCOUNT,
      spec: {
        policy: {
          requestTimeout: '1s',
          retries: { attempts: 1 },
          localRateLimit: { requestsPerUnit: 1, unit: 'SECOND' },
        },
      },
    },
    { TrafficPolicy: 'pool', spec: { policy: { connectionPool: { tcp: { maxConnections: 1 } } } } },
  ];
  return { name: 'nasty names', fleet: { ...fleet, management: probePolicies(policies, fleet, tested) } };
}
