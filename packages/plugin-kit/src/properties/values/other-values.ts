/** Other values in place of a stated one, with the texts by which outputs may contain them. */
import type { Path } from './paths.ts';

/** Another value of a field. */
export interface OtherValue {
  readonly value: unknown;
  /** One of these must be in the output as a word, or as the text of a string; omitted: the output must differ. */
  readonly words?: readonly string[];
  /** This must be in the output, letter case and escapes ignored. */
  readonly part?: string;
}

/** Letters that are in no other value. */
const MARK = 'zqx';

/** Words of a fixed set: another one is in the output, or makes a difference. */
const ENUMS: Readonly<Record<string, readonly string[]>> = {
  unit: ['SECOND', 'MINUTE', 'HOUR', 'DAY'],
  mtls: ['DISABLE', 'SIMPLE', 'MUTUAL'],
  comparator: ['EQ', 'GE', 'LE'],
  context: ['SIDECAR_INBOUND', 'SIDECAR_OUTBOUND'],
  phase: ['AUTHN', 'STATS'],
  protocol: ['HTTP', 'GRPC', 'TCP'],
  action: [],
  globalAccess: [],
};

const METHODS: ReadonlySet<string> = new Set(['method', 'methods', 'notMethods', 'allowMethods']);

/** Other values of the field at the path; each must have its own effect. */
export function otherValues(value: unknown, path: Path): readonly OtherValue[] {
  const names = path.filter((name) => !/^\d+$/.test(name) && name !== 'value');
  const last = names.at(-1) ?? '';
  if (typeof value === 'boolean') return [{ value: !value }];
  // A mesh may write a rule for a port only where a pod has the port.
  if (last === 'ports' && (names.includes('wasm') || names.includes('access'))) return [{ value: 1237 }];
  if (typeof value === 'number') return [otherNumber(value, last)];
  if (typeof value !== 'string') return [];
  const known = names.map((name) => ENUMS[name]).find((one) => one !== undefined);
  if (known !== undefined) return known.filter((other) => other !== value).map((other) => ({ value: other }));
  if (METHODS.has(last)) return [word(value === 'PUT' ? 'PATCH' : 'PUT')];
  if (last === 'retryOn') return [word(value === 'refused-stream' ? 'connect-failure' : 'refused-stream')];
  if (last === 'principals' || last === 'identities') return otherPrincipals(value);
  if (last === 'address') return otherAddress(value);
  return [marked(value, last)];
}

function word(text: string): OtherValue {
  return { value: text, part: text };
}

/** Milliseconds that are whole seconds, since some meshes know no others. */
const DURATION = { value: 7_321_000, words: ['7321s', '7321', '7321000', '7321000ms', '2h2m1s', '7321.0s'] };
const PERCENT = { value: 37, words: ['37', '37%', '0.37', '370000', '3700', '37.0'] };

function otherNumber(value: number, name: string): OtherValue {
  if (name.endsWith('Ms')) return DURATION;
  if (/percent|weight/i.test(name)) return name === 'weight' && value > 100 ? { value: value * 2 } : PERCENT;
  if (/status/i.test(name)) return { value: 429, words: ['429'] };
  return { value: 1237, words: ['1237'] };
}

/** `*` at an end is a wildcard of paths; a hostname is found by its first label. */
function marked(value: string, name: string): OtherValue {
  if (/hostname/i.test(name)) {
    const [first = '', ...rest] = value.split('.');
    return { value: [`${first}${MARK}`, ...rest].join('.'), part: `${first}${MARK}` };
  }
  const other = value.endsWith('*') ? `${value.slice(0, -1)}${MARK}*` : `${value}${MARK}`;
  return { value: other, part: other.replace(/^\*|\*$/g, '') };
}

/** The same identity in another trust domain, another namespace, and of another account. */
function otherPrincipals(value: string): readonly OtherValue[] {
  const parts = value.split('/');
  return parts.flatMap((part, index) => {
    if (part === '*' || part === 'ns' || part === 'sa') return [];
    const other = `${part}${MARK}`;
    return [{ value: parts.with(index, other).join('/'), part: other }];
  });
}

function otherAddress(value: string): readonly OtherValue[] {
  if (/^[\d.]+$/.test(value)) return [word('203.0.113.77')];
  return value.includes(':') ? [word('2001:db8::77')] : [marked(value, 'hostname')];
}
