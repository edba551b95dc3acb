/** Observes plugins: records their outputs for each view at the moment of the call. */
import type { PolicyRef, Report } from '@meshrelay/api';
import type { Output } from '@meshrelay/plugin';
import type { LoadedPlugin } from '@meshrelay/relay-core';

/** An output or a return value of a plugin. */
export interface Handed {
  /** The function of the plugin, such as `translateDestination`. */
  readonly call: string;
  /** The function's argument. */
  readonly view: unknown;
  readonly value: unknown;
  /** A description, such as `Sheet a`. */
  readonly what: string;
  /** The policies that it belongs to. */
  readonly policies: readonly PolicyRef[];
}

/** The plugin, with a callback for everything that its translations emit, report and return. */
export function watched({ plugin, settings }: LoadedPlugin, see: (handed: Handed) => void): LoadedPlugin {
  const guarded = new Proxy(plugin, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const call = String(name);
      if (call === 'assemble')
        return (...args: readonly unknown[]): unknown => {
          const value: unknown = member.apply(target, args);
          see({ call, view: args[0], value, what: nameOf(value), policies: [] });
          return value;
        };
      if (!call.startsWith('translate')) return member;
      return (view: unknown, out: Output, ...rest: readonly unknown[]): unknown => {
        const value: unknown = member.call(target, view, watchedOutput(out, { call, view }, see), ...rest);
        if (value !== undefined) see({ call, view, value, what: 'what it returns', policies: [] });
        return value;
      };
    },
  });
  return { plugin: guarded, settings };
}

function watchedOutput(out: Output, by: Pick<Handed, 'call' | 'view'>, see: (handed: Handed) => void): Output {
  const handed = (what: string, value: unknown, policies: readonly PolicyRef[]) =>
    see({ ...by, what, value, policies });
  return {
    emit(cluster, object, sourcePolicies) {
      handed(nameOf(object), object, sourcePolicies);
      out.emit(cluster, object, sourcePolicies);
    },
    contribute(to, part, sourcePolicies) {
      handed(`its part in ${to.kind.kind} ${to.name}`, part, sourcePolicies);
      out.contribute(to, part, sourcePolicies);
    },
    patch(request, sourcePolicies) {
      handed(`its patch of ${request.object.kind.kind} ${request.object.name}`, request.operation, sourcePolicies);
      out.patch(request, sourcePolicies);
    },
    report(policy, report: Report) {
      handed(`its report ${report?.code}`, report, [policy]);
      out.report(policy, report);
    },
  };
}

function nameOf(value: unknown): string {
  const { kind, metadata } = (value ?? {}) as {
    readonly kind?: unknown;
    readonly metadata?: { readonly name?: unknown };
  };
  return `${kind} ${metadata?.name}`;
}

/** The location of an output: the function, and the subject of its view. */
export function placeOf({ call, view }: Pick<Handed, 'call' | 'view'>): string {
  const facts = (view ?? {}) as Readonly<Record<string, unknown>>;
  const about =
    ['destination', 'workload', 'virtualDestination', 'mesh'].map((name) => facts[name]).find(isNamed) ?? facts;
  const { cluster, namespace, name } = about as Readonly<Record<string, unknown>>;
  return `${call} of ${[cluster, namespace, name].filter((part) => typeof part === 'string' && part !== '').join('/')}`;
}

function isNamed(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'name' in value;
}
