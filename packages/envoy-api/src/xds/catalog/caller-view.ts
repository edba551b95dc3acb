/** The view of one stream on the resources of its caller. */
import type { XdsResource, XdsView } from '../resource.ts';
import type { XdsKey } from '../resource-key.ts';
import { XDS_TYPES, type XdsType } from '../resource-type.ts';
import type { XdsCaller } from './caller.ts';
import type { Scope, ScopeView } from './scope.ts';

export interface CallerViewHost {
  isAwaited(caller: XdsCaller, key: XdsKey): boolean;
  /** It requested a secret that its own configuration does not name. */
  foreignSecret(caller: XdsCaller, name: string): void;
  ended(view: CallerView): void;
}

export class CallerView implements XdsView, ScopeView, Disposable {
  onChanged: ((keys: readonly XdsKey[]) => void) | undefined;
  /** Shared with all streams of the same caller. */
  readonly scope: Scope;
  readonly #host: CallerViewHost;

  constructor(scope: Scope, host: CallerViewHost) {
    this.scope = scope;
    this.#host = host;
  }

  get caller(): XdsCaller {
    return this.scope.caller;
  }

  get(type: XdsType, name: string): XdsResource | undefined {
    if (type === 'secret' && !this.scope.has(type, name)) this.#host.foreignSecret(this.caller, name);
    return this.scope.get(type, name);
  }

  isAwaited(type: XdsType, name: string): boolean {
    return this.scope.has(type, name) && this.#host.isAwaited(this.caller, { type, name });
  }

  /** Names of the extensions in its scope, existing or not. */
  get extensions(): readonly string[] {
    return [...this.scope.names('extensionConfig')];
  }

  *listed(type: XdsType): Iterable<string> {
    for (const name of this.scope.names(type)) if (this.isListed(type, name)) yield name;
  }

  isListed(type: XdsType, name: string): boolean {
    return XDS_TYPES[type].whole && this.scope.get(type, name) !== undefined;
  }

  [Symbol.dispose](): void {
    this.#host.ended(this);
  }
}
