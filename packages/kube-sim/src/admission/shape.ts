/** Converts a received object to the shape of its kind: removes unknown fields, adds defaults. */
import { badRequest } from '../errors/api-errors.ts';
import type { JsonObject, KubeObject, StatusError } from '../object.ts';
import type { ServedResource } from '../resources/definition.ts';
import { applyDefaults } from '../schema/default.ts';
import { pruneObject } from '../schema/prune.ts';
import type { WriteOptions } from './write-options.ts';

/**
 * Prunes and defaults in place; returns a sentence for each unknown field.
 * @param applied true for the result of a server-side apply: nulls of custom objects stay, for validation to reject
 */
export function shape(draft: KubeObject, resource: ServedResource, applied = false): string[] {
  const { definition, version } = resource;
  const unknown: string[] = [];
  pruneObject(draft as JsonObject, version.schema, { onUnknown: (path) => unknown.push(`unknown field "${path}"`) });
  applyDefaults(draft, version.schema, applied && definition.custom);
  definition.strategy.default?.(draft);
  return unknown;
}

/**
 * Handles unknown and duplicate fields as the client requested: rejects, warns or ignores.
 * @throws StatusError built by `refuse` from the text, when the client requested strict validation
 */
export function reportFaults(
  faults: readonly string[],
  options: WriteOptions,
  refuse: (text: string) => StatusError,
): void {
  if (faults.length === 0 || options.fieldValidation === 'Ignore') return;
  if (options.fieldValidation === 'Strict') throw refuse(`strict decoding error: ${faults.join(', ')}`);
  for (const fault of faults) options.warn(fault);
}

/** 400 for a body that cannot be decoded as its kind. */
export function undecodable(resource: ServedResource, text: string): StatusError {
  const { kind } = resource.definition;
  return badRequest(
    `${kind} in version ${JSON.stringify(resource.version.name)} cannot be handled as a ${kind}: ${text}`,
  );
}
