/** `http[].corsPolicy`. */
import type { CorsView } from '@meshrelay/relay-core';
import { duration, present } from '../../present.ts';
import { stringMatch } from './string-match.ts';

export function cors(view: CorsView): Record<string, unknown> {
  return present({
    allowOrigins: view.allowOrigins.map(stringMatch),
    allowMethods: view.allowMethods,
    allowHeaders: view.allowHeaders,
    exposeHeaders: view.exposeHeaders,
    maxAge: view.maxAgeMs === undefined ? undefined : duration(view.maxAgeMs),
    allowCredentials: view.allowCredentials,
  });
}
