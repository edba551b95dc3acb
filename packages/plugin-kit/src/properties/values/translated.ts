/** The translation of a single view. */
import type { Output } from '@meshrelay/plugin';
import { canonicalJson, type LoadedPlugin } from '@meshrelay/relay-core';

/** A view that a plugin received. */
export interface ReceivedView {
  /** The function of the plugin, such as `translateDestination`. */
  readonly call: string;
  readonly view: object;
}

/** The outputs and reports of a plugin for one view. */
export interface Translated {
  /** All of them, to compare. */
  readonly text: string;
  /** The objects, parts and patches, without the names of objects. */
  readonly outputs: unknown;
  /** The outputs without the names of objects and without policies, to compare. */
  readonly meaning: string;
  /** The texts, numbers and names of fields in the outputs. */
  readonly atoms: readonly string[];
  /** Reports, except those with severity info, as text. */
  readonly reports: readonly string[];
}

/** Translates a view. An exception is a difference, too. */
export function translated({ plugin, settings }: LoadedPlugin, { call, view }: ReceivedView): Translated {
  const outputs: unknown[] = [];
  const sources: unknown[] = [];
  const reports: unknown[] = [];
  const loud: string[] = [];
  const out: Output = {
    emit(cluster, { metadata, ...object }, policies) {
      const { name, ...others } = metadata;
      outputs.push([cluster, { ...object, metadata: others }]);
      sources.push(name, policies);
    },
    contribute({ name, ...to }, { slot, value }, policies) {
      outputs.push([to, value]);
      sources.push(name, slot, policies);
    },
    patch({ object, fieldPath, operation }, policies) {
      outputs.push([object, fieldPath, operation]);
      sources.push(policies);
    },
    report(policy, report) {
      reports.push(policy, report);
      if (report.severity !== 'info') loud.push(`${report.code} ${report.message}`);
    },
  };
  try {
    (plugin as unknown as Readonly<Record<string, Translate>>)[call]?.(view, out, settings);
  } catch (error) {
    outputs.push(String(error));
  }
  return {
    text: canonicalJson([outputs, sources, reports]),
    outputs,
    meaning: canonicalJson(outputs),
    atoms: [...atomsOf(outputs)],
    reports: loud,
  };
}

type Translate = (view: object, out: Output, settings: unknown) => void;

function* atomsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const member of value) yield* atomsOf(member);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      yield name;
      yield* atomsOf(member);
    }
  else yield String(value);
}
