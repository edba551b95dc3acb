/** Listen addresses in configurations. */
import * as z from 'zod';

export interface ListenAddress {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** `host:port`, `[v6]:port` or `:port` (all interfaces). */
export const listenAddress: z.ZodType<ListenAddress, string> = z.string().transform((text, context) => {
  const [, host = '', port = ''] = /^(.*):(\d{1,5})$/.exec(text) ?? [];
  const number = Number(port);
  if (port === '' || number > 65_535) {
    context.addIssue({ code: 'custom', message: `expected HOST:PORT, such as 127.0.0.1:9900, got "${text}"` });
    return z.NEVER;
  }
  return { host: host === '' ? '0.0.0.0' : host.replace(/^\[(.*)\]$/, '$1'), port: number };
});

/** Formats an address for gRPC and URLs. */
export function hostPort({ host, port }: ListenAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
