/** One Envoy's stream of configuration, without its transport: requests in, responses out when asked for one. */
import type { Rejection } from './rejection.ts';
import type { XdsKey, XdsView } from './resource.ts';
import type { XdsType } from './resource-type.ts';

/** The machine of a stream. The transport takes responses only while it can write, so that a slow reader gets the latest of each resource. */
export interface XdsStream<Request, Response> {
  /** @throws XdsStreamError when the stream must end */
  receive(request: Request): void;
  /** These resources of the view came, went or are others now. */
  changed(keys: Iterable<XdsKey>): void;
  /** What is to be sent now; undefined while there is nothing. */
  next(): Response | undefined;
  /** What Envoy refused and has not been given anything better for. */
  rejections(): Rejection[];
  /** Whether Envoy was sent all there is, and has answered it. */
  readonly isIdle: boolean;
}

/** What a stream needs of its host. */
export interface XdsStreamOptions {
  readonly view: XdsView;
  /** Told of versions that Envoy took, by name; '' for a resource whose absence it took note of. */
  readonly onAccepted?: ((type: XdsType, versions: ReadonlyMap<string, string>) => void) | undefined;
  readonly onRejected?: ((rejection: Rejection) => void) | undefined;
  /** Told of versions that Envoy has from an earlier stream, by name. */
  readonly onKnown?: ((type: XdsType, versions: ReadonlyMap<string, string>) => void) | undefined;
  readonly limits?: Partial<XdsLimits> | undefined;
}

/** How much one stream may hold. */
export interface XdsLimits {
  /** Names asked for, of one type. */
  readonly names: number;
  /** Characters of a name. */
  readonly nameLength: number;
  /** Responses not yet answered; of older ones an answer is no longer understood. */
  readonly unanswered: number;
}

export const DEFAULT_XDS_LIMITS: XdsLimits = { names: 20_000, nameLength: 1024, unanswered: 1000 };

/** The caller broke the protocol or a limit; its stream must end. */
export class XdsStreamError extends Error {
  override readonly name = 'XdsStreamError';
}

/** Adds names to a set of those asked for. @throws XdsStreamError beyond the limits */
export function ask(requested: Set<string>, name: string, limits: XdsLimits): void {
  checkName(name, limits);
  requested.add(name);
  checkCount(requested.size, limits);
}

/** @throws XdsStreamError where a name is longer than any of ours */
export function checkName(name: string, { nameLength }: XdsLimits): void {
  if (name.length > nameLength) {
    throw new XdsStreamError(
      `a resource name of ${name.length} characters was asked for; at most ${nameLength} are taken`,
    );
  }
}

/** @throws XdsStreamError where there are more than one stream may ask for */
export function checkCount(requested: number, { names }: XdsLimits): void {
  if (requested > names) throw new XdsStreamError(`more than ${names} resources of one type were asked for`);
}
