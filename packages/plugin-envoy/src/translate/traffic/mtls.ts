/** TLS to a destination; cluster/tls.ts writes it. */
import type { FieldRows } from '@meshrelay/plugin';

export const MTLS: FieldRows<'mtls'> = { 'connection.mtls': 'native' };
