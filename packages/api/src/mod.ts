/** Kinds of Meshrelay as schemas: types, CRDs, defaulting and validation. */
export {};
