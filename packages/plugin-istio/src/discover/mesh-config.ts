/** The parts of Istio's mesh configuration that other clusters need to know. */
import { parse } from 'yaml';
import { DESTINATION_RULE, SERVICE_ENTRY, VIRTUAL_SERVICE } from '../kinds.ts';

export interface MeshConfig {
  readonly trustDomain: string;
  readonly trustDomainAliases: readonly string[];
  /** The namespace whose objects hold for the whole mesh; undefined: the control plane's own. */
  readonly rootNamespace?: string;
  /** Who sees objects of a kind that say nothing by `exportTo`, for kinds that not everybody sees. */
  readonly defaultExportTo: Readonly<Record<string, readonly string[]>>;
  /** True where sidecars answer DNS questions for hosts of the mesh. */
  readonly capturesDns: boolean;
}

/** Istio's own defaults, in force where there is no ConfigMap. */
export const DEFAULT_MESH_CONFIG: MeshConfig = {
  trustDomain: 'cluster.local',
  trustDomainAliases: [],
  defaultExportTo: {},
  capturesDns: false,
};

/** The fields that say so, by the kind they are about. */
const DEFAULTS: ReadonlyArray<readonly [kind: string, field: string]> = [
  [VIRTUAL_SERVICE.kind, 'defaultVirtualServiceExportTo'],
  [DESTINATION_RULE.kind, 'defaultDestinationRuleExportTo'],
  [SERVICE_ENTRY.kind, 'defaultServiceExportTo'],
];

const MAX_ALIASES = 100;

/**
 * Reads the `mesh` entry of an `istio` ConfigMap.
 * @throws Error where it is not YAML; the mesh keeps what was known of it before
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
    capturesDns: ['true', true].some((on) => on === field(metadata, 'ISTIO_META_DNS_CAPTURE')),
  };
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

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
