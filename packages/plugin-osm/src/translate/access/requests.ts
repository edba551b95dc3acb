/**
 * The requests that a rule allows, as matches of an HTTPRouteGroup: each has one method or all, and one path or all.
 */
import type { AccessRuleView } from '@meshrelay/plugin';
import { METHODS } from './allowed-methods.ts';
import { pathRegex, pathsOverlap } from './allowed-paths.ts';

export interface RequestMatch {
  /** Undefined: any. */
  readonly method?: string;
  /** As in the rule; undefined: any. */
  readonly path?: string;
}

/** Every pair of a method and a path of the rule, without unsupported methods. */
export function requestsOf({ methods, paths }: AccessRuleView): readonly RequestMatch[] {
  const namable = methods.length === 0 ? [undefined] : methods.filter((method) => METHODS.has(method));
  return namable.flatMap((method) =>
    (paths.length === 0 ? [undefined] : paths).map((path) => ({
      ...(method === undefined ? {} : { method }),
      ...(path === undefined ? {} : { path }),
    })),
  );
}

/** The match's name in the group: the same for the same requests, independent of the rule. */
export function requestName({ method, path }: RequestMatch): string {
  return `${method ?? 'any-method'} ${path ?? 'any-path'}`;
}

/** The match itself. */
export function httpMatch(request: RequestMatch): Record<string, unknown> {
  return {
    name: requestName(request),
    methods: [request.method ?? '*'],
    pathRegex: request.path === undefined ? '.*' : pathRegex(request.path),
  };
}

/** True if some request matches both. */
export function requestsOverlap(a: RequestMatch, b: RequestMatch): boolean {
  return (
    (a.method === undefined || b.method === undefined || a.method === b.method) &&
    (a.path === undefined || b.path === undefined || pathsOverlap(a.path, b.path))
  );
}
