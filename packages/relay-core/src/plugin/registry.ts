/** The mesh plugins of a program: validated once when they are loaded, never trusted later. */
import {
  DNS_LABEL,
  kindKey,
  type MeshPlugin,
  type ResourceKind,
  type StandardSchema,
  VIEW_FIELDS,
} from '@meshrelay/plugin';
import { CORE_WATCHES } from '../input/watched-kinds.ts';
import { isForbiddenKind } from './forbidden-kinds.ts';
import { unknownCapabilities, unknownMembers } from './unknown-names.ts';

/** A plugin with its settings parsed. */
export interface LoadedPlugin {
  readonly plugin: MeshPlugin<unknown>;
  readonly settings: unknown;
  /** Why none of its functions is called in this process. */
  readonly quarantined?: string;
}

/** What a host provides: the default export of a plugin module and its settings from the host's configuration. */
export interface PluginSource {
  /** Where it came from, for messages. */
  readonly module: string;
  readonly plugin: unknown;
  readonly settings?: unknown;
}

/**
 * Validates plugins and their settings.
 * @throws Error that names the module and its fault: not a plugin, another contract version, a missing capability,
 * a name that the contract does not define, a kind that no plugin may write, invalid settings, a duplicate name
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
      `plugin ${module}: its default export is not a mesh plugin (name, contract, watches, writes, capabilities, and discover or controlPlane)`,
    );
  }
  if (plugin.contract !== 1)
    throw new Error(`plugin ${module}: it has contract ${plugin.contract}, this program knows contract 1`);
  if (!DNS_LABEL.test(plugin.name))
    throw new Error(
      `plugin ${module}: its name is "${plugin.name}"; expected lower case letters, digits and -, at most 63, because it is the value of a label`,
    );
  refuseUnknownNames(module, plugin);
  refuseBadClaims(module, plugin);
  refuseBadKinds(module, plugin);
  refuseForbiddenKinds(module, plugin);
  refuseStrayRights(module, plugin);
  refuseBadRules(module, plugin);
  return { plugin, settings: parseSettings(module, plugin.settings, settings) };
}

function refuseUnknownNames(module: string, plugin: MeshPlugin<unknown>): void {
  const unknown = [...unknownMembers(plugin), ...unknownCapabilities(plugin.capabilities)];
  if (unknown.length > 0) throw new Error(`plugin ${module}: ${unknown.join('; ')}`);
}

function refuseBadClaims(module: string, { capabilities }: MeshPlugin<unknown>): void {
  const missing = VIEW_FIELDS.filter((field) => capabilities[field] === undefined);
  if (missing.length > 0)
    throw new Error(`plugin ${module}: its capability table says nothing of ${missing.join(', ')}`);
  const bad = VIEW_FIELDS.find((field) => !isClaim(capabilities[field]));
  if (bad !== undefined)
    throw new Error(
      `plugin ${module}: its capability table says ${JSON.stringify(capabilities[bad])} of ${bad}; expected 'native', or { always }, { degraded } or { unsupported } with a reason for users`,
    );
}

const CLAIMS: ReadonlySet<string> = new Set(['always', 'degraded', 'unsupported']);

function isClaim(claim: unknown): boolean {
  if (claim === 'native') return true;
  if (typeof claim !== 'object' || claim === null) return false;
  const [[word, why] = ['', ''], ...more] = Object.entries(claim);
  return more.length === 0 && CLAIMS.has(word) && typeof why === 'string' && why.trim() !== '';
}

/** The agent's informers and RBAC are generated from these. */
function refuseBadKinds(module: string, { watches, writes, reads = [] }: MeshPlugin<unknown>): void {
  for (const [list, kinds] of Object.entries({ watches, writes, reads })) {
    const bad = kinds.find((kind) => !isResourceKind(kind));
    if (bad !== undefined)
      throw new Error(
        `plugin ${module}: its "${list}" has ${JSON.stringify(bad)}; expected group ('' for the core group), version, kind, plural and namespaced`,
      );
  }
}

/** Agents would reject every such object. */
function refuseForbiddenKinds(module: string, { writes }: MeshPlugin<unknown>): void {
  const forbidden = writes.find(isForbiddenKind);
  if (forbidden !== undefined)
    throw new Error(
      `plugin ${module}: its "writes" has ${forbidden.group || 'v1'} ${forbidden.kind}, which no plugin may write because it holds permissions, secrets, identities or code; remove it`,
    );
}

function isResourceKind(value: unknown): boolean {
  const { group, version, kind, plural, namespaced } = (value ?? {}) as Partial<ResourceKind>;
  return [version, kind, plural].every(isWord) && typeof group === 'string' && typeof namespaced === 'boolean';
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** Each plugin needs its own consent, and patched kinds must be watched. */
function refuseStrayRights(module: string, { name, patches = [], watches }: MeshPlugin<unknown>): void {
  for (const { consent, kind } of patches) {
    const place = `spec.patches.${name}.`;
    if (!consent.startsWith(place) || !/^[A-Za-z0-9]+$/.test(consent.slice(place.length)))
      throw new Error(`plugin ${module}: its patches are allowed by "${consent}"; expected ${place}<name>`);
    if (!watches.some((watched) => kindKey(watched) === kindKey(kind)))
      throw new Error(`plugin ${module}: it patches ${kind.kind}, which its "watches" does not have`);
  }
}

/** Rules for discovery come together, and read kinds that are watched. */
function refuseBadRules(module: string, { controlPlane, member, watches }: MeshPlugin<unknown>): void {
  if ((controlPlane === undefined) !== (member === undefined))
    throw new Error(
      `plugin ${module}: it has ${member === undefined ? 'controlPlane without member' : 'member without controlPlane'}; add the other one`,
    );
  if (controlPlane === undefined || member === undefined) return;
  const functions = { 'controlPlane.match': controlPlane.match, 'controlPlane.mesh': controlPlane.mesh };
  for (const [name, value] of Object.entries({ ...functions, 'member.match': member.match }))
    if (typeof value !== 'function')
      throw new Error(`plugin ${module}: ${name} is ${typeof value}; expected a function`);
  const { kind } = controlPlane;
  if (kind === undefined) return;
  if (![...CORE_WATCHES, ...watches].some((watched) => kindKey(watched) === kindKey(kind)))
    throw new Error(`plugin ${module}: controlPlane.kind is ${kind.kind}, which its "watches" does not have`);
}

function isPlugin(value: unknown): value is MeshPlugin<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const plugin = value as Partial<MeshPlugin>;
  return (
    typeof plugin.name === 'string' &&
    Array.isArray(plugin.watches) &&
    Array.isArray(plugin.writes) &&
    typeof plugin.capabilities === 'object' &&
    (typeof plugin.discover === 'function' || plugin.controlPlane !== undefined)
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
