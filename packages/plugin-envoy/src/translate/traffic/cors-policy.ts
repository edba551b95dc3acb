/** The CORS filter. */
import { type Any, cors as corsFilter, pack } from '@meshrelay/envoy-api';
import { type CorsView, memoizeUntilCompaction } from '@meshrelay/plugin';
import { stringMatcher } from '../messages.ts';
import type { RouteField } from './field.ts';

export const CORS = 'envoy.filters.http.cors';

const policy = memoizeUntilCompaction(
  ({ allowOrigins, allowMethods, allowHeaders, exposeHeaders, maxAgeMs, allowCredentials }: CorsView): Any =>
    pack(corsFilter.CorsPolicySchema, {
      allowOriginStringMatch: allowOrigins.map(stringMatcher),
      allowMethods: allowMethods.join(','),
      allowHeaders: allowHeaders.join(','),
      exposeHeaders: exposeHeaders.join(','),
      ...(maxAgeMs === undefined ? {} : { maxAge: String(maxAgeMs / 1000) }),
      ...(allowCredentials === undefined ? {} : { allowCredentials }),
    }),
);

export const corsPolicy: RouteField<'corsPolicy'> = {
  capabilities: { 'route.cors': 'native' },
  filterConfig: (view) => ({ [CORS]: policy(view) }),
};
