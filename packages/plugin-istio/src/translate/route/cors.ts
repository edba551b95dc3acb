/** `http[].corsPolicy`. */
import { type CorsView, rememberedUntilRest } from '@meshrelay/relay-core';
import { duration, present } from '../../present.ts';
import { stringMatch } from './string-match.ts';

/** The same object for the same settings. */
export const cors: (view: CorsView) => Record<string, unknown> = rememberedUntilRest((view) => {
  return present({
    allowOrigins: view.allowOrigins.map(stringMatch),
    allowMethods: view.allowMethods,
    allowHeaders: view.allowHeaders,
    exposeHeaders: view.exposeHeaders,
    maxAge: view.maxAgeMs === undefined ? undefined : duration(view.maxAgeMs),
    allowCredentials: view.allowCredentials,
  });
});
