/** spec.policy.corsPolicy */

import type { CorsPolicy } from '@meshrelay/api';
import { type CorsView, memoizeUntilCompaction } from '@meshrelay/plugin';
import { defined, milliseconds, stringMatchView } from '../values.ts';
import type { TrafficField } from './field.ts';

export const corsPolicy: TrafficField<'corsPolicy'> = {
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
