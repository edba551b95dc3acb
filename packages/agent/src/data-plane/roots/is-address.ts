/** Whether a name to be certified is an IP address. */
import { isIP } from 'node:net';

export const isAddress = (name: string): boolean => isIP(name) !== 0;
