/** Every value of a view makes a difference: a field whose parts are not all written is not carried as the table says. */
import { canonicalJson, type LoadedPlugin, type Output } from '@meshrelay/relay-core';
import { loaded } from '../tested-plugin.ts';
import { built } from './outcome.ts';
import type { Property } from './property.ts';
import { placeOf } from './watched.ts';

/** The functions of which what they are given about requests, connections and callers is theirs alone to write. */
const CALLS = ['translateDestination', 'translateFederatedDestination'] as const;
type Call = (typeof CALLS)[number];

/** A view that a plugin was given. */
interface InputFields {
  readonly call: Call;
  readonly view: object;
}

/**
 * With any value of a route, of connection settings or of an access rule changed, something else is written; or the policies were told of it as it was.
 * Of meshes that are described wholly nothing is asked: there the views of workloads have the same values.
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

/** The plugin, whose views are kept as it gets them. */
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
  // What it says of the values it does not carry need not name them.
  if (before.reported) return undefined;
  for (const path of leavesOf(pick(view), [])) {
    const value = valueAt(view, path);
    const isUsed = othersThan(value, path).some(
      (other) => writtenFor(plugin, { call, view: replaced(view, path, other) as object }).text !== before.text,
    );
    if (!isUsed && !isLeftToCore(plugin, path))
      return `${path.join('.')} is ${JSON.stringify(value)}, and any other value comes to the same; write it, or report that it is not carried`;
  }
  return undefined;
}

/** The parts of a view that policies speak of. */
function pick(view: object): Readonly<Record<string, unknown>> {
  const { routes = [], connection = {}, access = [] } = view as Readonly<Record<string, unknown>>;
  return { routes, connection, access };
}

/** What names something, or follows from something else; the places of goals are a matter of the field `route.shift` as a whole. */
const NO_VALUES: ReadonlySet<string> = new Set([
  ...['from', 'askedBy', 'action', 'kind', 'port'],
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

/** The name of a match says nothing of requests, parameters are never inverted, and the weight of an only goal is what is left. */
function isImplied(path: readonly string[], owner: object): boolean {
  const text = path.join('.');
  if (/^routes\.\d+\.match\.name$/.test(text) || /\.queryParameters\.\d+\.invert$/.test(text)) return true;
  return /\.(value|target)\.(0\.)?weight$/.test(text) && (owner as { readonly weight?: unknown }).weight === 100;
}

/** Where letter case cannot be ignored, core lets no such match through. */
function isLeftToCore({ plugin }: LoadedPlugin, path: readonly string[]): boolean {
  if (path.at(-1) !== 'ignoreCase') return false;
  return !path.includes('match') || typeof plugin.capabilities['match.uri.ignoreCase'] === 'object';
}

const OTHERS: Readonly<Record<string, readonly string[]>> = {
  unit: ['SECOND', 'MINUTE', 'HOUR', 'DAY'],
  mtls: ['DISABLE', 'SIMPLE', 'MUTUAL'],
};

/** Other values in the place of one: far enough away that rounding does not bring it back. */
function othersThan(value: unknown, path: readonly string[]): readonly unknown[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1000, value / 2];
  const word = path.findLast((name) => name in OTHERS);
  const others = word === undefined ? [] : (OTHERS[word] ?? []).filter((other) => other !== value);
  return [...others, `${String(value)}x`];
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((owner, name) => (owner as Readonly<Record<string, unknown>>)[name], value);
}

function replaced(value: unknown, [name, ...rest]: readonly string[], other: unknown): unknown {
  if (name === undefined) return other;
  const member = replaced((value as Readonly<Record<string, unknown>>)[name], rest, other);
  if (Array.isArray(value)) return value.map((one: unknown, index) => (String(index) === name ? member : one));
  return { ...(value as object), [name]: member };
}

interface Written {
  readonly text: string;
  /** Whether a policy was told that something of it is not carried. */
  readonly reported: boolean;
}

/** What a plugin writes and reports for a view. What it does not take is a difference, too. */
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
