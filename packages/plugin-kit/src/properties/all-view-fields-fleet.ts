/** A fleet in which every field of the views is requested at once, by each probe for a separate destination. */
import { VIEW_FIELDS, type ViewField } from '@meshrelay/plugin';
import { PROBE_MESH, PROBE_NAME, type Probe } from '../capability/probe.ts';
import { bookshop, probePolicies } from '../capability/probe-fleet.ts';
import { PROBES } from '../capability/probes.ts';
import type { PolicySpec } from '../fleet/policy-object.ts';
import type { TestedPlugin } from '../tested-plugin.ts';
import type { TestFleet } from './property.ts';

/**
 * Two clusters, federated with strict access, a destination for each field, and all policies that request the fields.
 */
export function allViewFieldsFleet(tested: TestedPlugin, requested: readonly ViewField[] = VIEW_FIELDS): TestFleet {
  const probes = requested.filter((field) => !field.startsWith('mesh.')).flatMap((field) => PROBES[field]);
  const destinations = probes.map((_, index) => nameOf(index));
  const fleet = bookshop(tested, destinations);
  const policies = probes.flatMap((probe, index) => policiesFor(probe, index));
  const resolveContext: PolicySpec = {
    VirtualMesh: PROBE_MESH,
    spec: { globalAccessPolicy: 'ENABLED', mtlsConfig: { strict: true, shared: {} }, federation: { mode: 'ALL' } },
  };
  return {
    name: 'every field at once',
    fleet: { ...fleet, management: probePolicies([resolveContext, ...policies], fleet, tested) },
  };
}

function nameOf(index: number): string {
  return `books-${index}`;
}

/** Kinds of policies whose first field is the policy's name. */
const NAMED: ReadonlySet<string> = new Set(['TrafficPolicy', 'AccessPolicy', 'AccessLogRecord', 'WasmDeployment']);

/** The policies of a probe, for a separate destination. */
function policiesFor({ asks }: Probe, index: number): readonly PolicySpec[] {
  return asks.filter((policy) => !('VirtualMesh' in policy)).map((policy) => renamed(policy, index) as PolicySpec);
}

/**
 * The same value with unique names of the destination, its hosts and the policies. Values that are not plain strings
 * stay.
 */
function renamed(value: unknown, index: number, field = ''): unknown {
  if (value === 'books') return nameOf(index);
  if (value === PROBE_NAME) return `${value}-${index}`;
  if (field === 'hostname' && typeof value === 'string') return value.replace(/^books\./, `${nameOf(index)}.`);
  if (NAMED.has(field) && typeof value === 'string') return `${value}-${index}`;
  if (Array.isArray(value)) return value.map((member) => renamed(member, index));
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, 'anyRules')) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, renamed(member, index, name)]));
}
