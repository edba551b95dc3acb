/** The mesh plugins of a program: checked once when loaded, trusted nowhere. */
import { kindKey } from '../input/resource-kind.ts';
import { VIEW_FIELDS } from './capability.ts';
import type { MeshPlugin, StandardSchema } from './contract.ts';

/** A plugin with its settings parsed. */
export interface LoadedPlugin {
  readonly plugin: MeshPlugin<unknown>;
  readonly settings: unknown;
}

/** What a host hands over: the default export of a plugin module and its settings from the host's configuration. */
export interface PluginSource {
  /** Where it came from, for messages. */
  readonly module: string;
  readonly plugin: unknown;
  readonly settings?: unknown;
}

/**
 * Checks plugins and their settings.
 * @throws Error naming the module and what is wrong with it: no plugin, another contract, a capability missing, bad settings, a name taken twice.
 */
export function loadPlugins(sources: readonly PluginSource[]): readonly LoadedPlugin[] {
  const loaded = sources.map(load);
  const names = new Map<string, string>();
  loaded.forEach(({ plugin }, position) => {
    const module = sources[position]?.module ?? '';
    const other = names.get(plugin.name);
    if (other !== undefined)
      throw new Error(`plugin ${module}: the mesh type "${plugin.name}" is already taken by ${other}`);
    names.set(plugin.name, module);
  });
  return loaded;
}

function load({ module, plugin, settings }: PluginSource): LoadedPlugin {
  if (!isPlugin(plugin)) {
    throw new Error(
      `plugin ${module}: its default export is no mesh plugin (name, contract, watches, writes, capabilities, discover)`,
    );
  }
  if (plugin.contract !== 1)
    throw new Error(`plugin ${module}: it has contract ${plugin.contract}, this program knows contract 1`);
  const missing = VIEW_FIELDS.filter((field) => plugin.capabilities[field] === undefined);
  if (missing.length > 0)
    throw new Error(`plugin ${module}: its capability table says nothing of ${missing.join(', ')}`);
  refuseStrayRights(module, plugin);
  return { plugin, settings: parseSettings(module, plugin.settings, settings) };
}

/** Consent is given for each plugin by itself, and what is patched is watched. */
function refuseStrayRights(module: string, { name, patches = [], watches }: MeshPlugin<unknown>): void {
  for (const { consent, kind } of patches) {
    const place = `spec.patches.${name}.`;
    if (!consent.startsWith(place) || !/^[A-Za-z0-9]+$/.test(consent.slice(place.length)))
      throw new Error(`plugin ${module}: its patches are allowed by "${consent}"; expected ${place}<name>`);
    if (!watches.some((watched) => kindKey(watched) === kindKey(kind)))
      throw new Error(`plugin ${module}: it patches ${kind.kind}, which its "watches" does not have`);
  }
}

function isPlugin(value: unknown): value is MeshPlugin<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const plugin = value as Partial<MeshPlugin>;
  return (
    typeof plugin.name === 'string' &&
    Array.isArray(plugin.watches) &&
    Array.isArray(plugin.writes) &&
    typeof plugin.capabilities === 'object' &&
    typeof plugin.discover === 'function'
  );
}

function parseSettings(module: string, schema: StandardSchema<unknown> | undefined, settings: unknown): unknown {
  if (schema === undefined) {
    if (settings !== undefined) throw new Error(`plugin ${module}: it takes no settings, remove them`);
    return undefined;
  }
  const result = schema['~standard'].validate(settings ?? {});
  if (result instanceof Promise)
    throw new Error(`plugin ${module}: its settings are validated asynchronously, which is not supported`);
  if (result.issues !== undefined) {
    const issues = result.issues.map(
      ({ path, message }) => `${(path ?? []).map(String).join('.') || 'settings'}: ${message}`,
    );
    throw new Error(`plugin ${module}: bad settings: ${issues.join('; ')}`);
  }
  return result.value;
}
