/** The status of a Settings object: the parts without effect, each with what was expected. */
import { nearest, type Report, type SettingsSpec } from '@meshrelay/api';
import type { LoadedPlugin } from '../plugin/registry.ts';
import { SETTINGS_NAME } from '../store/fleet-state.ts';

/** What Settings are checked against. */
export interface SettingsContext {
  readonly plugins: readonly LoadedPlugin[];
  /** Names of the registered clusters; omitted if the fleet is not known. */
  readonly clusters?: Iterable<string>;
}

/**
 * Reports on an object with a valid schema. An error makes all of it ineffective, a warning only the field that it
 * names.
 * @param name the object's `metadata.name`
 */
export function settingsReports(name: string, spec: SettingsSpec, { plugins, clusters }: SettingsContext): Report[] {
  const named: Report[] = name === SETTINGS_NAME ? [] : [NOT_EFFECTIVE];
  const unregistered = clusters === undefined ? [] : unknownClusters(spec, [...clusters]);
  return [...named, ...unknownConsents(spec, plugins), ...unregistered];
}

const NOT_EFFECTIVE: Report = {
  code: 'NOT_EFFECTIVE',
  severity: 'error',
  field: 'metadata.name',
  message: `only the object named ${SETTINGS_NAME} takes effect; rename it`,
};

function unknownConsents({ patches = {} }: SettingsSpec, plugins: readonly LoadedPlugin[]): Report[] {
  const known = plugins.flatMap(({ plugin }) => (plugin.patches ?? []).map(({ consent }) => consent));
  return Object.entries(patches)
    .flatMap(([plugin, consents]) => Object.keys(consents).map((consent) => `spec.patches.${plugin}.${consent}`))
    .filter((field) => !known.includes(field))
    .map((field) => warning('UNKNOWN_CONSENT', field, `is not a consent of any plugin; ${meant(field, known)}`));
}

/** `*` means the clusters that are not named. */
function unknownClusters({ discovery }: SettingsSpec, clusters: readonly string[]): Report[] {
  return Object.keys(discovery?.istio?.ingressGatewayDetectors ?? {})
    .filter((name) => name !== '*' && !clusters.includes(name))
    .map((name) => {
      const field = `spec.discovery.istio.ingressGatewayDetectors.${name}`;
      return warning('UNKNOWN_CLUSTER', field, `is for a cluster that is not registered; ${meant(name, clusters)}`);
    });
}

function warning(code: string, field: string, message: string): Report {
  return { code, severity: 'warning', field, message: `${field} ${message}` };
}

function meant(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? `known: ${[...new Set(known)].join(', ') || 'none'}` : `did you mean ${near}?`;
}
