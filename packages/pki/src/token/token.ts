/** Tokens with which a cluster registers. They print as `[redacted]` everywhere; only `reveal` returns the text. */
import { Buffer } from 'node:buffer';
import { hash, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

const PREFIX = 'mrt_';
const SECRET_BYTES = 32;
const FORM = /^mrt_[A-Za-z0-9_-]{43}$/;
const REDACTED = '[redacted]';

/** A token of 256 random bits. */
export class Token {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** A new token. */
  static create(): Token {
    return new Token(PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url'));
  }

  /**
   * The token in `text`, without surrounding spaces (such as a file's final line end); undefined if it is not a valid
   * token.
   */
  static read(text: string): Token | undefined {
    const trimmed = text.length > 256 ? '' : text.trim();
    return FORM.test(trimmed) ? new Token(trimmed) : undefined;
  }

  /** The token's text, only for its Secret or the request that presents it. */
  reveal(): string {
    return this.#text;
  }

  /** SHA-256 of the text, hex: stored and compared instead of the token. */
  get hash(): string {
    return tokenHash(this.#text);
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }
}

// Consoles read these; a class with computed member names could not be declared for users of the package.
for (const name of [inspect.custom, Symbol.for('Deno.customInspect')]) {
  Object.defineProperty(Token.prototype, name, { value: () => REDACTED });
}

/** A new token of 256 random bits. */
export function createToken(): Token {
  return Token.create();
}

/** SHA-256 of a token's text, hex. The text has 256 random bits, so neither a salt nor a slow hash is needed. */
export function tokenHash(text: string): string {
  return hash('sha256', text, 'hex');
}
