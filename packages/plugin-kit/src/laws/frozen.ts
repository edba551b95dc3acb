/** Plugins that are given nothing they could change. */
import type { LoadedPlugin } from '@meshrelay/relay-core';

/** Freezes plain data all the way down, and returns it. */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFrozen(member);
  return value;
}

/** The plugin, whose functions get frozen arguments: views, parts, objects, settings. */
export function withFrozenViews({ plugin, settings }: LoadedPlugin): LoadedPlugin {
  const guarded = new Proxy(plugin, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      // Discovery is handed the means to define collections, which are no data.
      if (typeof member !== 'function' || name === 'discover') return member;
      return (...args: readonly unknown[]): unknown => member.apply(target, args.map(deepFrozen));
    },
  });
  return { plugin: guarded, settings };
}
