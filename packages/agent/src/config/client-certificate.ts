/** Location of a client certificate that the relay does not issue. */
import * as z from 'zod';

/** A Secret of the agent's namespace (`tls.crt`, `tls.key`, `ca.crt`), or PEM files. */
export type ClientCertificateConfig =
  | { readonly secretName: string }
  | { readonly certFile: string; readonly keyFile: string; readonly caFile?: string | undefined };

const file = z.string().min(1);

/** `relay.clientCertificate`. */
export const clientCertificate: z.ZodType<ClientCertificateConfig> = z
  .strictObject({
    secretName: z.string().min(1).optional(),
    certFile: file.optional(),
    keyFile: file.optional(),
    caFile: file.optional(),
  })
  .transform(({ secretName, certFile, keyFile, caFile }, context): ClientCertificateConfig => {
    if (secretName !== undefined && certFile === undefined && keyFile === undefined && caFile === undefined)
      return { secretName };
    if (secretName === undefined && certFile !== undefined && keyFile !== undefined)
      return { certFile, keyFile, caFile };
    context.addIssue({ code: 'custom', message: 'expected secretName alone, or certFile and keyFile' });
    return z.NEVER;
  });
