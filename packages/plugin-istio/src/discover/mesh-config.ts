/** The parts of Istio's mesh configuration that other clusters need to know. */
import { parse } from 'yaml';

export interface MeshConfig {
  readonly trustDomain: string;
  readonly trustDomainAliases: readonly string[];
  /** The namespace whose objects hold for the whole mesh; undefined: the control plane's own. */
  readonly rootNamespace?: string;
  /** True where sidecars answer DNS questions for hosts of the mesh. */
  readonly capturesDns: boolean;
}

/** Istio's own defaults, in force where there is no ConfigMap. */
export const DEFAULT_MESH_CONFIG: MeshConfig = {
  trustDomain: 'cluster.local',
  trustDomainAliases: [],
  capturesDns: false,
};

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
    capturesDns: ['true', true].some((on) => on === field(metadata, 'ISTIO_META_DNS_CAPTURE')),
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
