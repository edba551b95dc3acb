/** Reads the parts of Istio's mesh configuration that other clusters need. */
import type { JsonObject } from '@meshrelay/plugin';
import { parse } from 'yaml';
import { DESTINATION_RULE, SERVICE_ENTRY, VIRTUAL_SERVICE } from '../kinds.ts';
import { PROVIDER_PATHS } from '../mesh-config.ts';

export interface MeshConfig {
  readonly trustDomain: string;
  readonly trustDomainAliases: readonly string[];
  /** The namespace whose objects apply to the whole mesh; undefined: the control plane's own. */
  readonly rootNamespace?: string;
  /** The default `exportTo` of each kind, for kinds that are not visible in all namespaces by default. */
  readonly defaultExportTo: Readonly<Record<string, readonly string[]>>;
  /** True if sidecars answer DNS queries for hosts of the mesh. */
  readonly capturesDns: boolean;
  /** Names of the access log providers that apply without a Telemetry. */
  readonly accessLogging: readonly string[];
  /** Meshrelay's extension providers, by name. */
  readonly providers: JsonObject;
}

/** Istio's own defaults, effective without a ConfigMap. */
export const DEFAULT_MESH_CONFIG: MeshConfig = {
  trustDomain: 'cluster.local',
  trustDomainAliases: [],
  defaultExportTo: {},
  capturesDns: false,
  accessLogging: [],
  providers: {},
};

/** The MeshConfig fields with the default `exportTo`, by kind. */
const DEFAULTS: ReadonlyArray<readonly [kind: string, field: string]> = [
  [VIRTUAL_SERVICE.kind, 'defaultVirtualServiceExportTo'],
  [DESTINATION_RULE.kind, 'defaultDestinationRuleExportTo'],
  [SERVICE_ENTRY.kind, 'defaultServiceExportTo'],
];

const MAX_ALIASES = 100;

/**
 * Reads the `mesh` entry of an `istio` ConfigMap.
 * @throws Error if it is not YAML; the mesh keeps its previous configuration
 */
export function readMeshConfig(text: string | undefined): MeshConfig {
  if (text === undefined) return DEFAULT_MESH_CONFIG;
  const config: unknown = parse(text, { maxAliasCount: MAX_ALIASES, logLevel: 'error' });
  const trustDomain = field(config, 'trustDomain');
  const aliases = field(config, 'trustDomainAliases');
  const rootNamespace = field(config, 'rootNamespace');
  const metadata = field(field(config, 'defaultConfig'), 'proxyMetadata');
  return {
    trustDomain: typeof trustDomain === 'string' && trustDomain !== '' ? trustDomain : DEFAULT_MESH_CONFIG.trustDomain,
    trustDomainAliases: Array.isArray(aliases) ? aliases.filter((alias) => typeof alias === 'string') : [],
    ...(typeof rootNamespace === 'string' && rootNamespace !== '' ? { rootNamespace } : {}),
    defaultExportTo: defaultExportTo(config),
    capturesDns: isTrue(field(metadata, 'ISTIO_META_DNS_CAPTURE')),
    accessLogging: accessLogging(config),
    providers: managedProviders(config),
  };
}

/**
 * Parses the text of an environment variable as Istio does, with Go's strconv.ParseBool. YAML may have read it as a
 * boolean or a number.
 */
function isTrue(value: unknown): boolean {
  return value === true || value === 1 || ['1', 't', 'T', 'true', 'TRUE', 'True'].some((word) => word === value);
}

function defaultExportTo(config: unknown): MeshConfig['defaultExportTo'] {
  return Object.fromEntries(
    DEFAULTS.flatMap(([kind, name]) => {
      const list = field(config, name);
      const seen = Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
      return seen.length === 0 || seen.includes('*') ? [] : [[kind, seen]];
    }),
  );
}

/** The legacy field for a log on standard output has the effect of Istio's built-in provider. */
function accessLogging(config: unknown): readonly string[] {
  const list = field(field(config, 'defaultProviders'), 'accessLogging');
  const names = Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
  if (names.length > 0) return names;
  return field(config, 'accessLogFile') === '/dev/stdout' ? ['envoy'] : [];
}

function managedProviders(config: unknown): JsonObject {
  const list = field(config, 'extensionProviders');
  const managed = (Array.isArray(list) ? list : []).flatMap((provider): Array<readonly [string, JsonObject]> => {
    const name = field(provider, 'name');
    return typeof name === 'string' && Object.hasOwn(PROVIDER_PATHS, name) ? [[name, provider as JsonObject]] : [];
  });
  return Object.fromEntries(managed);
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
