/** Generated objects of a cluster. */
import { OWNER_LABEL } from '@meshrelay/relay-core';
import type { Client } from '@meshrelay/testing/api-server';

const NETWORKING = '/apis/networking.istio.io/v1';
/** Kinds, each with the path of its version. */
const KINDS: Readonly<Record<string, string>> = {
  virtualservices: NETWORKING,
  destinationrules: NETWORKING,
  serviceentries: NETWORKING,
  gateways: NETWORKING,
  sidecars: NETWORKING,
  envoyfilters: '/apis/networking.istio.io/v1alpha3',
  authorizationpolicies: '/apis/security.istio.io/v1',
};

export interface Output {
  readonly key: string;
  readonly uid: string;
  readonly text: string;
}

/** Those that the label marks as generated, sorted. */
export async function outputsOf(client: Client): Promise<readonly Output[]> {
  const lists = await Promise.all(
    Object.entries(KINDS).map(async ([kind, version]) => {
      const path = `${version}/${kind}?labelSelector=${encodeURIComponent(OWNER_LABEL)}`;
      const { status, text, body } = await client.get(path);
      if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
      // biome-ignore lint/suspicious/noExplicitAny: as the server sent it
      return (body.items as readonly any[]).map(({ metadata, spec }) => ({
        key: `${kind} ${metadata.namespace}/${metadata.name}`,
        uid: metadata.uid as string,
        text: JSON.stringify(spec),
      }));
    }),
  );
  return lists.flat().sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Keys of outputs that are missing, or were deleted and created again. */
export function deleted(before: readonly Output[], after: readonly Output[]): readonly string[] {
  return before
    .filter(({ key, uid }) => !after.some((each) => each.key === key && each.uid === uid))
    .map(({ key }) => key);
}
