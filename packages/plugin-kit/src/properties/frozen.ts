/** Wraps plugins so that they can change neither their inputs nor the outputs that they already returned. */
import type { Output } from '@meshrelay/plugin';
import type { LoadedPlugin } from '@meshrelay/relay-core';

/** Freezes plain data recursively, and returns it. */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFrozen(member);
  return value;
}

/** The plugin with frozen arguments: views, parts, objects, settings; its outputs are frozen, too. */
export function withFrozenViews({ plugin, settings }: LoadedPlugin): LoadedPlugin {
  const guarded = new Proxy(plugin, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      // Discovery receives functions that define collections, which are not data.
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
