/** spec.policy.corsPolicy */
import type { CorsPolicy } from '@meshrelay/api';
import { memoizeUntilCompaction } from '../../caches/memoize.ts';
import { defined, milliseconds, stringMatchView } from '../values.ts';
import type { StringMatchView } from '../views/string-match.ts';
import type { RequestField } from './field.ts';

export interface CorsView {
  readonly allowOrigins: readonly StringMatchView[];
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  /** Whole seconds, in milliseconds. */
  readonly maxAgeMs?: number;
  readonly allowCredentials?: boolean;
}

export const corsPolicy: RequestField<'corsPolicy', 'cors', CorsView, 'route.cors'> = {
  scope: 'requests',
  viewName: 'cors',
  capabilities: { 'route.cors': 'spec.policy.corsPolicy' },
  view: memoizeUntilCompaction((cors: CorsPolicy) =>
    defined<CorsView>({
      allowOrigins: (cors.allowOrigins ?? []).flatMap((match) => stringMatchView(match) ?? []),
      allowMethods: cors.allowMethods ?? [],
      allowHeaders: cors.allowHeaders ?? [],
      exposeHeaders: cors.exposeHeaders ?? [],
      maxAgeMs: inWholeSeconds(milliseconds(cors.maxAge)),
      allowCredentials: cors.allowCredentials,
    }),
  ),
  requires: () => ['route.cors'],
};

/** HTTP expresses the age of a response in seconds; 0 disables caching. */
function inWholeSeconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.max(1, Math.round(ms / 1000)) * 1000;
}
