import { virtualDestination } from '../probe.ts';
import { MEMBERS, type VirtualDestinationFieldSamples } from './field.ts';

/** `static` is a reserved word. */
export const staticFailover: VirtualDestinationFieldSamples<'static'> = {
  probes: { 'virtualDestination.static': { asks: [MEMBERS, virtualDestination({})], without: [MEMBERS] } },
};
