/**
 * Every value of a view has an effect: a field whose parts are not all written is not supported as the table claims.
 */
import type { Output } from '@meshrelay/plugin';
import { canonicalJson, type LoadedPlugin } from '@meshrelay/relay-core';
import { loaded } from '../tested-plugin.ts';
import { built } from './outcome.ts';
import type { Property } from './property.ts';
import { replaced, valueAt } from './values/paths.ts';
import { placeOf } from './watched.ts';

/** The functions that alone translate their views' values of requests, connections and callers. */
const CALLS = ['translateDestination', 'translateFederatedDestination'] as const;
type Call = (typeof CALLS)[number];

/** A view that a plugin received. */
interface InputFields {
  readonly call: Call;
  readonly view: object;
}

/**
 * A change of any value of a route, of connection settings or of an access rule changes the output. Exception: the
 * policies have a report about the original. Meshes with configured proxies are exempt: there the views of workloads
 * have the same values.
 */
export const usesEveryField: Property = (tested, fleets) => {
  if (tested.plugin.configuresProxies === true) return;
  const [plugin] = loaded(tested);
  if (plugin === undefined) return;
  for (const { name, fleet } of fleets) {
    const given: InputFields[] = [];
    built(fleet, [collecting(plugin, given)]);
    for (const one of given) {
      const problem = unheeded(plugin, one);
      if (problem !== undefined) throw new Error(`${name}: ${placeOf(one)}: ${problem}`);
    }
  }
};

/** The plugin, with a record of the views that it receives. */
function collecting({ plugin, settings }: LoadedPlugin, given: InputFields[]): LoadedPlugin {
  const guarded = new Proxy(plugin, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      const call = CALLS.find((one) => one === name);
      if (typeof member !== 'function' || call === undefined) return member;
      return (view: object, ...rest: readonly unknown[]): unknown => {
        given.push({ call, view });
        return member.call(target, view, ...rest);
      };
    },
  });
  return { plugin: guarded, settings };
}

function unheeded(plugin: LoadedPlugin, { call, view }: InputFields): string | undefined {
  const before = writtenFor(plugin, { call, view });
  // A report about unsupported values need not name each of them.
  if (before.reported) return undefined;
  for (const path of leavesOf(pick(view), [])) {
    const value = valueAt(view, path);
    const isUsed = othersThan(value, path).some(
      (other) => writtenFor(plugin, { call, view: replaced(view, path, other) as object }).text !== before.text,
    );
    if (!isUsed && !isLeftToCore(plugin, path))
      return `${path.join('.')} is ${JSON.stringify(value)}, and any other value gives the same result; write it, or report that it is not supported`;
  }
  return undefined;
}

/** The parts of a view that policies define. */
function pick(view: object): Readonly<Record<string, unknown>> {
  const { routes = [], connection = {}, access = [] } = view as Readonly<Record<string, unknown>>;
  return { routes, connection, access };
}

/** Names, and values derived from others; the field `route.shift` covers the locations of route targets as a whole. */
const NO_VALUES: ReadonlySet<string> = new Set([
  ...['from', 'action', 'kind', 'port'],
  ...['destination', 'virtual', 'remote', 'hostname', 'onlyPort', 'subset'],
]);

function* leavesOf(value: unknown, path: readonly string[]): Generator<readonly string[]> {
  if (typeof value !== 'object' || value === null) {
    yield path;
    return;
  }
  for (const [name, member] of Object.entries(value))
    if (!NO_VALUES.has(name) && !isImplied([...path, name], value)) yield* leavesOf(member, [...path, name]);
}

/**
 * The name of a match has no effect on requests, parameters are never inverted, and a single target always has the
 * whole weight.
 */
function isImplied(path: readonly string[], owner: object): boolean {
  const text = path.join('.');
  if (/^routes\.\d+\.match\.name$/.test(text) || /\.queryParameters\.\d+\.invert$/.test(text)) return true;
  return /\.(value|target)\.(0\.)?weight$/.test(text) && (owner as { readonly weight?: unknown }).weight === 100;
}

/** If the mesh cannot ignore letter case, core filters such matches out. */
function isLeftToCore({ plugin }: LoadedPlugin, path: readonly string[]): boolean {
  if (path.at(-1) !== 'ignoreCase') return false;
  return !path.includes('match') || typeof plugin.capabilities['match.uri.ignoreCase'] === 'object';
}

const OTHERS: Readonly<Record<string, readonly string[]>> = {
  unit: ['SECOND', 'MINUTE', 'HOUR', 'DAY'],
  mtls: ['DISABLE', 'SIMPLE', 'MUTUAL'],
};

/** Other values in place of one: different enough to survive rounding. */
function othersThan(value: unknown, path: readonly string[]): readonly unknown[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1000, value / 2];
  const word = path.findLast((name) => name in OTHERS);
  const others = word === undefined ? [] : (OTHERS[word] ?? []).filter((other) => other !== value);
  return [...others, `${String(value)}x`];
}

interface Written {
  readonly text: string;
  /** Whether a policy got a report that part of it is not supported. */
  readonly reported: boolean;
}

/** The plugin's output and reports for a view. An exception counts as a difference, too. */
function writtenFor({ plugin, settings }: LoadedPlugin, { call, view }: InputFields): Written {
  const all: unknown[] = [];
  let reported = false;
  const out: Output = {
    emit: (cluster, object) => all.push([cluster, object]),
    contribute: (to, part) => all.push([to, part]),
    patch: (request) => all.push(request),
    report(_policy, report) {
      reported ||= report.severity !== 'info';
      all.push(report);
    },
  };
  try {
    plugin[call]?.(view as never, out, settings);
  } catch (error) {
    all.push(String(error));
  }
  return { text: canonicalJson(all), reported };
}
