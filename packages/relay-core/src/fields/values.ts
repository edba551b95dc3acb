/** Conversions that several fields share. */
import { parseGoDuration, type StringMatch } from '@meshrelay/api';
import type { StringMatchView } from '@meshrelay/plugin';

/** An object without its undefined members, as exact optional properties require. */
export function defined<T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): T {
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name as keyof T];
    if (value !== undefined) result[name] = value;
  }
  return result as T;
}

/** Milliseconds. Validation has rejected policies with invalid durations before. */
export function milliseconds(duration: string | undefined): number | undefined {
  return duration === undefined ? undefined : parseGoDuration(duration);
}

/** In lower case, sorted, each name once. */
export function headerNames(names: readonly string[] = []): readonly string[] {
  return [...new Set(names.map((name) => name.toLowerCase()))].sort();
}

/** Undefined for a match that has none of the four. */
export function stringMatchView(match: StringMatch): StringMatchView | undefined {
  const { exact, prefix, regex, suffix, ignoreCase = false } = match;
  if (exact !== undefined) return { exact, ignoreCase };
  if (prefix !== undefined) return { prefix, ignoreCase };
  if (regex !== undefined) return { regex, ignoreCase };
  if (suffix !== undefined) return { suffix, ignoreCase };
  return undefined;
}
