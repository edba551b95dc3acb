/** `http.auth` and `http.tls` of the configuration. */
import * as z from 'zod';
import type { OidcOptions } from './by-oidc.ts';

/** How readers of the HTTP API authenticate. */
export type AuthConfig =
  | { readonly type: 'tokenReview'; readonly audiences: readonly string[] }
  | ({ readonly type: 'oidc' } & OidcOptions);

/** PEM files; they are read again when they change. */
export interface HttpTlsConfig {
  readonly certFile: string;
  readonly keyFile: string;
}

const names = z.array(z.string().min(1)).default([]);

export const authConfig: z.ZodType<AuthConfig> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('tokenReview'), audiences: names }),
  z
    .strictObject({
      type: z.literal('oidc'),
      issuer: z.url({ protocol: /^https?$/, error: 'expected the URL of the provider' }),
      audience: z.string().min(1),
      usernameClaim: z.string().min(1).default('sub'),
      groupsClaim: z.string().min(1).default('groups'),
      allowedUsers: names,
      allowedGroups: names,
    })
    .refine(({ allowedUsers, allowedGroups }) => allowedUsers.length + allowedGroups.length > 0, {
      error: 'expected at least one of allowedUsers and allowedGroups: without them no user may read',
    }),
]);

export const httpTlsConfig: z.ZodType<HttpTlsConfig> = z.strictObject({
  certFile: z.string().min(1),
  keyFile: z.string().min(1),
});
