/** The locality of a destination, seen from outside its cluster. */
import type { KubeService, SubLocality } from '@meshrelay/api';
import type { LocalityView } from '@meshrelay/plugin';

/** The region, and the sub-localities that all endpoints share: one address may front all of them. */
export function localityOf({
  region,
  endpointSubsets = [],
}: Pick<KubeService, 'region' | 'endpointSubsets'>): LocalityView | undefined {
  if (region === undefined) return undefined;
  const places = endpointSubsets.flatMap(({ endpoints }) => endpoints.map(({ subLocality }) => subLocality));
  const [first] = places;
  if (first === undefined || places.some((place) => place?.zone !== first.zone)) return { region };
  return within(region, places.every((place) => place?.subZone === first.subZone) ? first : { zone: first.zone });
}

/** A locality in a region, as views write it. */
export function within(region: string, { zone, subZone }: SubLocality): LocalityView {
  return { region, zone, ...(subZone === undefined ? {} : { subZone }) };
}
