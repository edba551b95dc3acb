/** Settings that would have no effect, or not the one they were meant to have. */
import type { KubeObject, SettingsSpec } from '@meshrelay/api';
import { type LoadedPlugin, settingsReports } from '@meshrelay/relay-core';

/** What keeps a Settings object, or a consent in it, from counting; each names what was expected. */
export function settingsProblems({ metadata, spec }: KubeObject, plugins: readonly LoadedPlugin[]): string[] {
  const reports = settingsReports(metadata.name, (spec ?? {}) as SettingsSpec, { plugins });
  return reports.map(({ message }) => `Settings ${metadata.name}: ${message}`);
}
