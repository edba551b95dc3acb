/** Builds the objects that several destinations share from their contributions. */
import type { NativeObject, NativeObjectRef, Part } from '@meshrelay/plugin';
import { HTTP_ROUTE_GROUP, osmObject, TCP_ROUTE } from '../../kinds.ts';
import { portsName, requestsName } from '../../names.ts';
import { subject } from '../../service-account.ts';
import type { RequestsPart, TargetPart } from './parts.ts';

export function assemble({ kind, namespace, name }: NativeObjectRef, parts: readonly Part[]): NativeObject {
  const values = parts.map(({ value }) => value);
  const spec =
    kind.kind === HTTP_ROUTE_GROUP.kind
      ? requestsSpec(values as readonly RequestsPart[])
      : targetSpec(values as readonly TargetPart[]);
  return osmObject(kind, namespace, name, spec);
}

/** A match of one name is the same in every part. */
function requestsSpec(parts: readonly RequestsPart[]): Record<string, unknown> {
  const matches = new Map(parts.flatMap((part) => part.matches).map((match) => [String(match['name']), match]));
  return { matches: [...matches.keys()].sort().map((name) => matches.get(name)) };
}

/** OSM matches a rule without names with no request, so every match is named. */
function targetSpec(parts: readonly TargetPart[]): Record<string, unknown> {
  const [first] = parts;
  if (first === undefined) throw new Error('a TrafficTarget was to be built from no part; report it to the plugin');
  const { destination, source, ports } = first;
  const matches = [...new Set(parts.flatMap(({ requests }) => requests))].sort();
  return {
    destination: subject(destination),
    sources: [subject(source)],
    rules: [
      { kind: HTTP_ROUTE_GROUP.kind, name: requestsName(destination.name), matches },
      ...(ports.length === 0 ? [] : [{ kind: TCP_ROUTE.kind, name: portsName(ports) }]),
    ],
  };
}
