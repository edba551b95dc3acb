/** Plugins that are given nothing they could change, and can change nothing of what they have handed over. */
import type { LoadedPlugin, Output } from '@meshrelay/relay-core';

/** Freezes plain data all the way down, and returns it. */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFrozen(member);
  return value;
}

/** The plugin, whose functions get frozen arguments: views, parts, objects, settings; what they write is frozen, too. */
export function withFrozenViews({ plugin, settings }: LoadedPlugin): LoadedPlugin {
  const guarded = new Proxy(plugin, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      // Discovery is handed the means to define collections, which are no data.
      if (typeof member !== 'function' || name === 'discover') return member;
      return (...args: readonly unknown[]): unknown => member.apply(target, args.map(guard));
    },
  });
  return { plugin: guarded, settings };
}

function guard(argument: unknown): unknown {
  return isOutput(argument) ? freezing(argument) : deepFrozen(argument);
}

function isOutput(argument: unknown): argument is Output {
  return typeof (argument as Partial<Output> | undefined)?.emit === 'function';
}

function freezing(out: Output): Output {
  return {
    emit: (cluster, ...args) => out.emit(cluster, ...deepFrozen(args)),
    contribute: (...args) => out.contribute(...deepFrozen(args)),
    patch: (...args) => out.patch(...deepFrozen(args)),
    report: (...args) => out.report(...deepFrozen(args)),
  };
}
