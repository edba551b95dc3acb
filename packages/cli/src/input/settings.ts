/** Finds Settings without an effect, or with an unintended one. */
import type { KubeObject, SettingsSpec } from '@meshrelay/api';
import { type LoadedPlugin, settingsReports } from '@meshrelay/relay-core';

/** The reasons why a Settings object, or a permission in it, has no effect; each names the expected value. */
export function settingsProblems({ metadata, spec }: KubeObject, plugins: readonly LoadedPlugin[]): string[] {
  const reports = settingsReports(metadata.name, (spec ?? {}) as SettingsSpec, { plugins });
  return reports.map(({ message }) => `Settings ${metadata.name}: ${message}`);
}
