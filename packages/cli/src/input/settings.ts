/** Settings that would have no effect, or not the one they were meant to have. */
import { type KubeObject, nearest, type SettingsSpec } from '@meshrelay/api';
import { type LoadedPlugin, SETTINGS_NAME } from '@meshrelay/relay-core';

/** What keeps a Settings object, or a consent in it, from counting; each names what was expected. */
export function settingsProblems({ metadata, spec }: KubeObject, plugins: readonly LoadedPlugin[]): string[] {
  const named = `Settings ${metadata.name}`;
  const other =
    metadata.name === SETTINGS_NAME ? [] : [`${named}: only the object named ${SETTINGS_NAME} counts; rename it`];
  const known = plugins.flatMap(({ plugin }) => (plugin.patches ?? []).map(({ consent }) => consent));
  const { patches = {} } = (spec ?? {}) as SettingsSpec;
  const given = Object.entries(patches).flatMap(([plugin, consents]) =>
    Object.keys(consents).map((consent) => `spec.patches.${plugin}.${consent}`),
  );
  const unknown = given
    .filter((field) => !known.includes(field))
    .map((field) => `${named}: ${field} is a consent that no plugin asks for; ${meant(field, known)}`);
  return [...other, ...unknown];
}

function meant(field: string, known: readonly string[]): string {
  const near = nearest(field, known);
  return near === undefined ? `there are ${[...new Set(known)].join(', ') || 'none'}` : `did you mean ${near}?`;
}
