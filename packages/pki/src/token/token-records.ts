/** Where the management cluster keeps its token book: hashes of tokens, never tokens. */
import { malformed } from '../pki-error.ts';
import { type TokenRecord, TokenRegistry } from './token-registry.ts';

/** The Secret in the management namespace. */
export const TOKENS_SECRET = 'relay-tokens';
/** Its one key: a JSON list of token records. */
export const TOKENS_KEY = 'records.json';

type SecretData = Readonly<Record<string, string>>;

/** The book in the Secret's data; empty where it has none. @throws PkiError naming the Secret where it cannot be read */
export function readTokenBook(data: SecretData): TokenRegistry {
  const text = data[TOKENS_KEY];
  if (text === undefined) return new TokenRegistry();
  try {
    return new TokenRegistry(JSON.parse(text) as readonly TokenRecord[]);
  } catch (cause) {
    throw malformed(`Secret ${TOKENS_SECRET}: ${TOKENS_KEY} is no list of token records`, {
      next: 'Delete that key to begin anew.',
      cause,
    });
  }
}

/** Says in the Secret that a shared token is taken, for `meshctl check` to see. */
const SHARED_KEY = 'sharedToken';

/** The Secret's data, saying whether the server takes a token that all clusters share. */
export function withSharedToken(data: SecretData, allowed: boolean): SecretData {
  const { [SHARED_KEY]: _, ...rest } = data;
  return allowed ? { ...rest, [SHARED_KEY]: 'allowed' } : rest;
}

/** Whether the server takes a token that all clusters share. */
export function takesSharedToken(data: SecretData): boolean {
  return data[SHARED_KEY] === 'allowed';
}

/** The Secret's data with this book in it. */
export function withTokenBook(data: SecretData, book: TokenRegistry): SecretData {
  return { ...data, [TOKENS_KEY]: JSON.stringify(book.records) };
}
