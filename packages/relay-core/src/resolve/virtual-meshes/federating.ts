/**
 * The meshes that can take part in federation. Policies on other meshes get a report of that, and none about gateways
 * or names.
 */
import { unsupportedReason } from '../../plugin/capability.ts';
import type { LoadedPlugin } from '../../plugin/registry.ts';

/** Returns whether meshes of a type reach other clusters, or are reached from them, in any way. */
export type Federates = (meshType: string) => boolean;

export function federatingTypes(plugins: readonly LoadedPlugin[]): Federates {
  const unable = new Set(
    plugins
      .filter(
        ({ plugin: { capabilities } }) =>
          unsupportedReason(capabilities, 'mesh.federation.gateway') !== undefined &&
          unsupportedReason(capabilities, 'mesh.federation.flatNetwork') !== undefined,
      )
      .map(({ plugin }) => plugin.name),
  );
  return (meshType) => !unable.has(meshType);
}
