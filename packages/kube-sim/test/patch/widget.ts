/** A kind with every way of field ownership, and objects of it. */
import type { Json, KubeObject, SchemaNode } from '../../src/object.ts';
import { serverSideApply } from '../../src/patch/server-side-apply.ts';
import { trackUpdate } from '../../src/patch/track-update.ts';

const text: SchemaNode = { type: 'string' };
const count: SchemaNode = { type: 'integer', format: 'int32' };
const record = (properties: { [name: string]: SchemaNode }): SchemaNode => ({ type: 'object', properties });

/** The schema of ex.io/v1 Widget. */
export const widgetSchema: SchemaNode = record({
  spec: record({
    color: text,
    size: count,
    flag: { type: 'boolean' },
    ios: { 'x-kubernetes-int-or-string': true },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        ...record({
          port: count,
          protocol: { ...text, default: 'TCP' },
          name: text,
          opts: record({ a: text, b: text }),
        }),
        required: ['port'],
      },
    },
    tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    nums: { type: 'array', 'x-kubernetes-list-type': 'set', items: count },
    atom: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: text },
    plain: { type: 'array', items: record({ x: text }) },
    atomap: { ...record({ x: text, y: text }), 'x-kubernetes-map-type': 'atomic' },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    half: { ...record({ known: text }), 'x-kubernetes-preserve-unknown-fields': true },
    lab: { type: 'object', additionalProperties: text },
    maps: { type: 'object', additionalProperties: record({ x: text, y: count }) },
    nested: record({ a: count, b: record({ c: text, d: text }) }),
  }),
  status: record({ phase: text, n: count }),
});

/** 2026-01-01T00:00:00Z. */
export const NOW = 1_767_225_600_000;

/** A Widget of that spec. */
export function widget(spec: Json | undefined, rest: object = {}): KubeObject {
  const object: KubeObject = { apiVersion: 'ex.io/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'd' } };
  return { ...object, ...(spec === undefined ? {} : { spec }), ...rest };
}

/** Options of a step other than manager and object. */
export interface Step {
  readonly live?: KubeObject | undefined;
  readonly force?: boolean;
  readonly subresource?: string;
  readonly seconds?: number;
}

/** Applies a Widget. */
export function apply(
  manager: string,
  applied: KubeObject,
  { live, force = false, subresource, seconds = 0 }: Step = {},
): KubeObject {
  return serverSideApply({
    ...(live === undefined ? {} : { live }),
    applied,
    manager,
    force,
    schema: widgetSchema,
    apiVersion: applied.apiVersion,
    ...(subresource === undefined ? {} : { subresource }),
    now: NOW + seconds * 1000,
  }).object;
}

/** Writes a Widget other than by apply. */
export function update(manager: string, after: KubeObject, { live, subresource, seconds = 0 }: Step = {}): KubeObject {
  return trackUpdate({
    ...(live === undefined ? {} : { before: live }),
    after,
    manager,
    schema: widgetSchema,
    apiVersion: after.apiVersion,
    ...(subresource === undefined ? {} : { subresource }),
    now: NOW + seconds * 1000,
  });
}

/** The fields of an object that a manager owns. */
export function owned(object: KubeObject, manager: string): Json | undefined {
  return object.metadata.managedFields?.find((entry) => entry.manager === manager)?.fieldsV1;
}

/** The message with which an attempt is rejected. */
export function rejection(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('expected a refusal, but it was accepted');
}
