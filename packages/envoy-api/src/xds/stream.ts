/** One Envoy's configuration stream without its transport: takes requests, and returns responses on demand. */
import type { Rejection } from './rejection.ts';
import type { XdsView } from './resource.ts';
import type { XdsKey } from './resource-key.ts';
import type { XdsType } from './resource-type.ts';

/**
 * The state machine of a stream. The transport takes responses only while it can write, so that a slow reader gets the
 * latest version of each resource.
 */
export interface XdsStream<Request, Response> {
  /** @throws XdsStreamError when the stream must end */
  receive(request: Request): void;
  /** These resources of the view were added, removed or changed. */
  changed(keys: Iterable<XdsKey>): void;
  /** The next response; undefined if nothing is pending. */
  next(): Response | undefined;
  /** Rejected resources without a newer version since. */
  rejections(): Rejection[];
  /** Whether Envoy was sent everything, and has answered it. */
  readonly isIdle: boolean;
}

/** Dependencies of a stream on its host. */
export interface XdsStreamOptions {
  readonly view: XdsView;
  /** Called with accepted versions by name; '' for an acknowledged removal. */
  readonly onAccepted?: ((type: XdsType, versions: ReadonlyMap<string, string>) => void) | undefined;
  readonly onRejected?: ((rejection: Rejection) => void) | undefined;
  /** Called with versions by name that Envoy has from an earlier stream. */
  readonly onKnown?: ((type: XdsType, versions: ReadonlyMap<string, string>) => void) | undefined;
  readonly limits?: Partial<XdsLimits> | undefined;
}

/** Limits of one stream. */
export interface XdsLimits {
  /** Requested names of one type. */
  readonly names: number;
  /** Characters of a name. */
  readonly nameLength: number;
  /** Unanswered responses; answers to older ones are ignored. */
  readonly unanswered: number;
}

export const DEFAULT_XDS_LIMITS: XdsLimits = { names: 20_000, nameLength: 1024, unanswered: 1000 };

/** The caller violated the protocol or a limit; its stream must end. */
export class XdsStreamError extends Error {
  override readonly name = 'XdsStreamError';
}

/** Adds names to a set of requested ones. @throws XdsStreamError if the limits are exceeded */
export function ask(requested: Set<string>, name: string, limits: XdsLimits): void {
  checkName(name, limits);
  requested.add(name);
  checkCount(requested.size, limits);
}

/** @throws XdsStreamError for a name longer than any valid one */
export function checkName(name: string, { nameLength }: XdsLimits): void {
  if (name.length > nameLength) {
    throw new XdsStreamError(
      `a resource name of ${name.length} characters was requested; at most ${nameLength} are allowed`,
    );
  }
}

/** @throws XdsStreamError for more names than a stream may request */
export function checkCount(requested: number, { names }: XdsLimits): void {
  if (requested > names) throw new XdsStreamError(`more than ${names} resources of one type were requested`);
}
