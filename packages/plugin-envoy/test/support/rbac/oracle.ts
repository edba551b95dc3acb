/**
 * Istio's pairs of AuthorizationPolicies and the RBAC filters that its control plane generates from them, rule by rule.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Json } from '../static-bootstrap.ts';

/** A single rule of a filter. */
export interface OracleRule {
  /** `<pair> <policy> <rule>`; `<pair>` if a filter has no rule. */
  readonly name: string;
  /** Whether the filter matches requests, else connections. */
  readonly http: boolean;
  /** The configuration of a filter with only this rule. */
  readonly filter: Json;
}

interface Filter {
  readonly name: string;
  readonly typedConfig: {
    readonly rules?: { readonly action?: string; readonly policies?: Readonly<Record<string, Json>> };
    readonly statPrefix?: string;
  };
}

/** Names and methods in the pairs have brackets, which no request can contain. */
const METHODS: Readonly<Record<string, string>> = { 'rule0-to0-method0': 'PUT', 'rule1-to0-method0': 'PATCH' };

/** Every rule in the folder, sorted by name. */
export function oracleRules(folder: string): OracleRule[] {
  const files = readdirSync(folder).filter((file) => /-out\d?\.yaml$/.test(file));
  return files.sort().flatMap((file) => {
    const pair = file.replace(/-out\d?\.yaml$/, '');
    const text = readFileSync(join(folder, file), 'utf8').replace(/\\?\[(\d+)\\?\]/g, '$1');
    return parseAllDocuments(text).flatMap((document) => rulesIn(pair, document.toJS() as Filter | null));
  });
}

function rulesIn(pair: string, filter: Filter | null): OracleRule[] {
  if (filter === null) return [];
  const { rules: { action = 'ALLOW', policies = {} } = {}, statPrefix } = filter.typedConfig;
  const config = (some: Json): Json => ({
    rules: { action, policies: some },
    ...(statPrefix === undefined ? {} : { stat_prefix: statPrefix }),
  });
  const http = filter.name === 'envoy.filters.http.rbac';
  const all = Object.entries(policies);
  if (all.length === 0) return [{ name: pair, http, filter: config({}) }];
  return all.map(([name, policy]) => {
    const [, own = '', rule = ''] = /-policy\[(.+)\]-rule(\d+)$/.exec(name) ?? [];
    return { name: `${pair} ${own} ${rule}`, http, filter: config({ [name]: withMethods(policy) as Json }) };
  });
}

function withMethods(value: unknown): unknown {
  if (typeof value === 'string') return METHODS[value] ?? value;
  if (Array.isArray(value)) return value.map(withMethods);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withMethods(member)]));
}
