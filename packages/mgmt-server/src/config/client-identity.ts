/** Client certificates of other issuers: exact rules map each certificate to a cluster. */
import { CLUSTER_NAME, CLUSTER_NAME_SYNTAX } from '@meshrelay/pki';
import * as z from 'zod';

/** An issuer of agents' certificates, and the rules for their names. */
export interface ClientIssuerConfig {
  /** Secret of the management namespace whose `ca.crt` holds the CA certificates of the issuer. */
  readonly caSecretName: string;
  readonly clusters: readonly ClientRule[];
}

/** Maps a certificate of the issuer with this name to the cluster. Exactly one of the names is set. */
export interface ClientRule {
  readonly cluster: string;
  readonly uri?: string | undefined;
  readonly dnsName?: string | undefined;
  readonly commonName?: string | undefined;
}

const CLIENT_NAMES = ['uri', 'dnsName', 'commonName'] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

const MAX_NAME = 2048;
const text = z.string().max(MAX_NAME);

const rule: z.ZodType<ClientRule> = z
  .strictObject({
    cluster: z.string().regex(CLUSTER_NAME, `expected the name of a KubernetesCluster, ${CLUSTER_NAME_SYNTAX}`),
    uri: text.regex(/^[a-z][a-z0-9+.-]*:[!-~]+$/, 'expected a URI exactly as in the certificate').optional(),
    dnsName: text
      .regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, 'expected a DNS name in lower case, without a wildcard')
      .optional(),
    commonName: text.regex(/^\P{Cc}+$/u, 'expected the common name exactly as in the subject').optional(),
  })
  .refine((given) => CLIENT_NAMES.filter((name) => given[name] !== undefined).length === 1, {
    error: 'expected exactly one of uri, dnsName and commonName',
  });

const issuer: z.ZodType<ClientIssuerConfig> = z
  .strictObject({
    caSecretName: z
      .string()
      .regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, 'expected the name of a Secret in the management namespace'),
    clusters: z.array(rule).min(1, 'expected at least one cluster'),
  })
  .superRefine(({ clusters }, context) => {
    const seen = new Set<string>();
    for (const [index, given] of clusters.entries()) {
      const name = nameOf(given);
      if (seen.has(name))
        context.addIssue({ code: 'custom', path: ['clusters', index], message: `${name} stands twice` });
      seen.add(name);
    }
  });

/** `relay.clientIdentity`. */
export const clientIssuers: z.ZodType<readonly ClientIssuerConfig[]> = z
  .array(issuer)
  .superRefine((issuers, context) => {
    const seen = new Set<string>();
    for (const [index, { caSecretName }] of issuers.entries()) {
      if (seen.has(caSecretName))
        context.addIssue({
          code: 'custom',
          path: [index, 'caSecretName'],
          message: `${caSecretName} is listed twice; merge its clusters`,
        });
      seen.add(caSecretName);
    }
  });

/** A rule's name with its kind. */
export function nameOf(given: Omit<ClientRule, 'cluster'>): string {
  const kind = CLIENT_NAMES.find((name) => given[name] !== undefined);
  return kind === undefined ? '' : `${kind} ${given[kind]}`;
}

/** Rejects rules with names in the relay's own trust domain: other issuers cannot give them. */
export function ownNames(
  relay: { readonly trustDomain: string; readonly clientIdentity: readonly ClientIssuerConfig[] },
  context: z.RefinementCtx,
): void {
  const own = `spiffe://${relay.trustDomain}/`;
  for (const [index, { clusters }] of relay.clientIdentity.entries())
    for (const [at, { uri }] of clusters.entries())
      if (uri?.startsWith(own))
        context.addIssue({
          code: 'custom',
          path: ['clientIdentity', index, 'clusters', at, 'uri'],
          message: `${own} is the trust domain of the relay (relay.trustDomain), which no other issuer may use`,
        });
}
