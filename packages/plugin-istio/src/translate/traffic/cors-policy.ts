/** `http[].corsPolicy`. */
import { type CorsView, memoizeUntilCompaction } from '@meshrelay/plugin';
import { duration, present } from '../../present.ts';
import { stringMatch } from '../route/string-match.ts';
import type { RouteField } from './field.ts';

/** The same object for the same settings. */
const cors = memoizeUntilCompaction(
  (view: CorsView): Record<string, unknown> =>
    present({
      allowOrigins: view.allowOrigins.map(stringMatch),
      allowMethods: view.allowMethods,
      allowHeaders: view.allowHeaders,
      exposeHeaders: view.exposeHeaders,
      maxAge: view.maxAgeMs === undefined ? undefined : duration(view.maxAgeMs),
      allowCredentials: view.allowCredentials,
    }),
);

export const corsPolicy: RouteField<'corsPolicy'> = {
  capabilities: { 'route.cors': 'native' },
  httpRoute: (view) => present({ corsPolicy: cors(view) }),
};
