/** Detects conflicts between users' OSM objects and generated ones before Meshrelay writes any. */
import type { KubeObject, NativeObject, ObjectConflict, ObjectConflicts } from '@meshrelay/plugin';
import { RETRY, TRAFFIC_SPLIT, TRAFFIC_TARGET, UPSTREAM_TRAFFIC_SETTING } from './kinds.ts';

type Some = KubeObject | NativeObject;
type Fields = Readonly<Record<string, unknown>>;

/** For each kind: the field that must be unique, and the effect of two objects that share it. */
const RULES: ReadonlyMap<
  string,
  { readonly about: (object: Some) => readonly string[]; readonly objectConflict: ObjectConflict }
> = new Map([
  [
    TRAFFIC_SPLIT.kind,
    {
      about: (object) => [`${namespaceOf(object)}/${text(specOf(object)['service'])}`],
      objectConflict: {
        effect: 'notApplied',
        text: 'splits the same Service, and OSM uses only one TrafficSplit of a Service',
      },
    },
  ],
  [
    UPSTREAM_TRAFFIC_SETTING.kind,
    {
      about: (object) => [text(specOf(object)['host'])],
      objectConflict: {
        effect: 'notApplied',
        text: 'has settings for the same host, and OSM uses only one object of a host',
      },
    },
  ],
  [
    RETRY.kind,
    {
      about: (object) => {
        const { source, destinations } = specOf(object);
        return list(destinations).map((one) => `${accountOf(source)} to ${placeOf(one)}`);
      },
      objectConflict: {
        effect: 'degraded',
        text: 'has retries of the same caller for the same Service, and OSM does not define which of two it uses; delete one',
      },
    },
  ],
  [
    TRAFFIC_TARGET.kind,
    {
      about: (object) => {
        const { destination, sources } = specOf(object);
        return list(sources).map((one) => `${accountOf(one)} to ${accountOf(destination)}`);
      },
      objectConflict: { effect: 'info', text: 'allows the same caller, so requests that it allows are allowed, too' },
    },
  ],
]);

const wordsOf = (object: Some): string[] =>
  (RULES.get(object.kind)?.about(object) ?? []).map((word) => `${object.kind} ${word}`);

export const objectConflicts: ObjectConflicts = {
  indexKeys: wordsOf,
  lookupKeys: wordsOf,
  detect: (_managed, unmanaged) => RULES.get(unmanaged.kind)?.objectConflict,
};

function specOf(object: Some): Fields {
  return fields((object as { readonly spec?: unknown }).spec);
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function placeOf(subject: unknown): string {
  const { namespace, name } = fields(subject);
  return `${text(namespace)}/${text(name)}`;
}

function accountOf(subject: unknown): string {
  return `${text(fields(subject)['kind'])} ${placeOf(subject)}`;
}

function namespaceOf({ metadata }: Some): string {
  return metadata.namespace ?? '';
}
