/** Types that the generated code reads and writes: fields as in the .proto, each of which may be absent. */

/** A 64-bit integer as the generated code returns it. */
export type WireInteger = number | { readonly low: number; readonly high: number; toNumber(): number };

export interface WireKind {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

export interface WireKey {
  readonly namespace?: string;
  readonly name?: string;
}

export interface WireEntry extends WireKey {
  readonly hash?: Uint8Array;
}

export interface WireEnvelope extends WireEntry {
  readonly body?: Uint8Array;
  readonly total?: number;
  readonly offset?: number;
}

export interface WireWindow {
  readonly deltas?: number;
  readonly bytes?: number;
}

export interface WireObjectRejection extends WireEntry {
  readonly kind?: WireKind | null;
  readonly code?: string;
  readonly reason?: string;
}

export interface WireLag {
  readonly kind?: WireKind | null;
  readonly entries?: number;
  readonly age?: WireInteger;
}

export interface WireComponent {
  readonly name?: string;
  readonly term?: WireInteger;
  readonly seq?: WireInteger;
  readonly gone?: boolean;
}

/** The members of the oneof of a stream message: one of them is set. */
export interface WireMessage {
  readonly hello?: {
    readonly cluster?: string;
    readonly term?: WireInteger;
    readonly kinds?: readonly WireKind[];
    readonly capabilities?: readonly string[];
    readonly program?: string;
    readonly window?: WireWindow | null;
    readonly failedPlugins?: readonly string[];
  } | null;
  readonly resume?: {
    readonly cluster?: string;
    readonly term?: WireInteger;
    readonly capabilities?: readonly string[];
    readonly program?: string;
    readonly window?: WireWindow | null;
    readonly kinds?: Uint8Array;
    readonly content?: Uint8Array;
    readonly vector?: Uint8Array;
    readonly number?: WireInteger;
    readonly failedPlugins?: readonly string[];
  } | null;
  readonly kinds?: { readonly kinds?: readonly WireKind[] } | null;
  readonly welcome?: {
    readonly capabilities?: readonly string[];
    readonly window?: WireWindow | null;
    readonly resumed?: boolean;
    readonly complete?: boolean;
    readonly sendKinds?: boolean;
  } | null;
  readonly contentRequest?: {
    readonly kind?: WireKind | null;
    readonly digest?: Uint8Array;
    readonly buckets?: Uint8Array;
    readonly round?: number;
  } | null;
  readonly have?: {
    readonly kind?: WireKind | null;
    readonly same?: boolean;
    readonly bucketDigests?: Uint8Array;
    readonly entries?: readonly WireEntry[];
    readonly last?: boolean;
    readonly round?: number;
  } | null;
  readonly delta?: {
    readonly number?: WireInteger;
    readonly kind?: WireKind | null;
    readonly upserts?: readonly WireEnvelope[];
    readonly deletes?: readonly WireKey[];
    readonly complete?: boolean;
    readonly oversized?: readonly WireObjectRejection[];
  } | null;
  readonly ack?: {
    readonly number?: WireInteger;
    readonly result?: number;
    readonly refused?: readonly WireObjectRejection[];
    readonly behind?: readonly string[];
  } | null;
  readonly resync?: { readonly kinds?: readonly WireKind[]; readonly reason?: string } | null;
  readonly vector?: {
    readonly full?: boolean;
    readonly components?: readonly WireComponent[];
    readonly last?: boolean;
  } | null;
  readonly heartbeat?: { readonly answered?: WireInteger; readonly lags?: readonly WireLag[] } | null;
  readonly move?: { readonly reason?: string; readonly within?: number } | null;
  readonly call?: {
    readonly id?: WireInteger;
    readonly method?: string;
    readonly arguments?: Uint8Array;
    readonly timeout?: number;
    readonly credits?: number;
  } | null;
  readonly cancel?: { readonly id?: WireInteger } | null;
  readonly grant?: { readonly id?: WireInteger; readonly credits?: number } | null;
  readonly reply?: {
    readonly id?: WireInteger;
    readonly result?: Uint8Array;
    readonly last?: boolean;
    readonly code?: string;
    readonly error?: string;
  } | null;
}

/** A generated type. */
export interface GeneratedType<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

/** A token in exchange for a client certificate. An agent sends it before it has a certificate. */
export interface RegisterRequest {
  /** The cluster that the token was issued for. */
  readonly cluster: string;
  readonly token: string;
  /** PKCS#10, PEM. */
  readonly csrPem: string;
  /** Name and version of the program, for logs. */
  readonly program: string;
}

export interface RegisterResponse {
  /** The leaf and its intermediates, PEM. */
  readonly certificatePem: string;
  /** Roots that verify the server from now on, PEM; '' keeps the current ones. */
  readonly rootsPem: string;
}

/** Requests a new certificate for the same identity. */
export interface RenewRequest {
  readonly csrPem: string;
  /** PEM of an expired certificate, which cannot open a verified connection; '' otherwise. */
  readonly expiredCertificatePem: string;
  /** Challenge from the server to prove the key of that certificate; empty in the first request. */
  readonly challenge: Uint8Array;
  /** Signature by that key over the challenge and the CSR. */
  readonly proof: Uint8Array;
}

export interface RenewResponse extends RegisterResponse {
  /**
   * If not empty: sign this with the key of the expired certificate and send the request again; the response holds no
   * certificate yet.
   */
  readonly challenge: Uint8Array;
}

/** The roots that an agent has. */
export interface TrustRequest {
  /** Hash of its root bundle, hex. */
  readonly bundle: string;
}

export interface TrustResponse {
  /** Roots that verify the server from now on, PEM; '' keeps the current ones. */
  readonly rootsPem: string;
  /**
   * Whether the CA that signed the caller's certificate is being replaced and the agent should renew its certificate.
   */
  readonly renew: boolean;
  /** Seconds until the next request. */
  readonly seconds: number;
}

/** Requests an intermediate CA. */
export interface SignRequest {
  /** Namespace of the IssuedCertificate in the caller's cluster. */
  readonly namespace: string;
  readonly name: string;
  /** PKCS#10, PEM. */
  readonly csrPem: string;
}

export interface SignResponse {
  /** The CA, then the certificates between it and the root, PEM. */
  readonly chainPem: string;
  /** Roots that verify peers for workloads of the mesh, PEM. */
  readonly rootsPem: string;
}

/** The only export of the generated module. */
export interface GeneratedRoot {
  readonly relay: {
    readonly v1: {
      readonly RegisterRequest: GeneratedType<Partial<RegisterRequest>>;
      readonly RegisterResponse: GeneratedType<Partial<RegisterResponse>>;
      readonly RenewRequest: GeneratedType<Partial<RenewRequest>>;
      readonly RenewResponse: GeneratedType<Partial<RenewResponse>>;
      readonly TrustRequest: GeneratedType<Partial<TrustRequest>>;
      readonly TrustResponse: GeneratedType<Partial<TrustResponse>>;
      readonly SignRequest: GeneratedType<Partial<SignRequest>>;
      readonly SignResponse: GeneratedType<Partial<SignResponse>>;
      readonly PushRequest: GeneratedType<WireMessage>;
      readonly PushResponse: GeneratedType<WireMessage>;
      readonly PullRequest: GeneratedType<WireMessage>;
      readonly PullResponse: GeneratedType<WireMessage>;
      readonly InvokeRequest: GeneratedType<WireMessage>;
      readonly InvokeResponse: GeneratedType<WireMessage>;
      readonly Delta: GeneratedType<NonNullable<WireMessage['delta']>>;
      readonly Envelope: GeneratedType<WireEnvelope>;
    };
  };
}
