/** The note of a process that was ended because a plugin did not return. */
import { readFileSync } from 'node:fs';
import { ConfigError } from '../config-error.ts';
import type { WatchedCall } from './watch-calls.ts';

export interface HungCall extends WatchedCall {
  /** Seconds that it ran at least. */
  readonly limit: number;
  /** When its process was ended: RFC 3339. */
  readonly time: string;
}

/** @throws ConfigError if the file is not such a note */
export function readHungCall(file: string): HungCall | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ConfigError(`${file} cannot be read: ${(cause as Error).message}; delete it`, { cause });
  }
  const found = parsed(text);
  if (['module', 'name', 'time'].every((field) => typeof found[field] === 'string'))
    return found as unknown as HungCall;
  throw new ConfigError(`${file} is not the note of a plugin that did not return; delete it`);
}

function parsed(text: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(text) as object) };
  } catch {
    return {};
  }
}
