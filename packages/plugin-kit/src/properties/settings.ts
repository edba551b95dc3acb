/** Hosts validate settings when they load the plugin, not on use. */
import type { TestedPlugin } from '../tested-plugin.ts';
import { loaded } from '../tested-plugin.ts';

/** Settings that a plugin must reject. */
export interface BadSettings {
  readonly settings: unknown;
  /** The field that the error must name, such as `gateways.0.port`. */
  readonly path: string;
}

const NONSENSE: readonly unknown[] = [42, 'text', true, ['list'], { 'no such setting': true }];

/**
 * The plugin rejects nonsense, and rejects the author's bad settings by their path.
 * @throws Error naming the accepted settings
 */
export function refusesBadSettings({ plugin, settings }: TestedPlugin, bad: readonly BadSettings[]): void {
  loaded({ plugin, settings });
  for (const nonsense of NONSENSE) {
    if (rejection(plugin, nonsense) === undefined)
      throw new Error(`it accepts the settings ${JSON.stringify(nonsense)}; reject unknown fields`);
  }
  if (plugin.settings !== undefined && bad.length === 0)
    throw new Error('it has settings, and no badSettings that it must refuse; name at least one with its path');
  for (const { settings: wrong, path } of bad) {
    const message = rejection(plugin, wrong);
    if (message === undefined) throw new Error(`it accepts the settings ${JSON.stringify(wrong)}`);
    if (!message.includes(path))
      throw new Error(`it refuses ${JSON.stringify(wrong)} without naming ${path}: ${message}`);
  }
}

function rejection(plugin: TestedPlugin['plugin'], settings: unknown): string | undefined {
  try {
    loaded({ plugin, settings });
    return undefined;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
