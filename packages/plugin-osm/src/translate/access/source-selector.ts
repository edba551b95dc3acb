/** Callers: TrafficTargets name their ServiceAccounts. */
import { shortList } from '@meshrelay/api';
import type { AccessRows, AccessRuleView, DestinationFacts, Output } from '@meshrelay/plugin';
import { fallShort } from '../../reports.ts';
import { accountOf, type ServiceAccount } from '../../service-account.ts';

const UNNAMED = {
  unsupported:
    'TrafficTargets list ServiceAccounts one by one, so only listed ones are allowed; select ServiceAccounts with kubeServiceAccountRefs',
};

export const SOURCE_SELECTOR: AccessRows<'sourceSelector'> = {
  'access.sources.namespaces': UNNAMED,
  'access.sources.trustDomains': UNNAMED,
};

const MAX_SHOWN = 5;

/** OSM supports only ServiceAccounts of the mesh's own trust domain. */
export function accountsOf(
  { sources, from }: AccessRuleView,
  { mesh }: DestinationFacts,
  out: Output,
): ServiceAccount[] {
  if (sources.kind === 'anyone') return [];
  const reported = sources.principals.map((principal) => ({
    principal,
    account: accountOf(principal, mesh.trustDomain),
  }));
  const untold = reported.filter(({ account }) => account === undefined).map(({ principal }) => principal);
  if (untold.length > 0) {
    fallShort(out, from, {
      code: 'UNSUPPORTED',
      field: 'spec.sourceSelector',
      message: `OSM allows ServiceAccounts of its own mesh only (trust domain ${mesh.trustDomain} of cluster ${mesh.cluster}), so these sources are not allowed: ${shortList(untold, MAX_SHOWN)}; select ServiceAccounts of that mesh`,
    });
  }
  return reported.flatMap(({ account }) => account ?? []);
}
