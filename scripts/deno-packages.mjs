/** Packages whose sources also run, and so are also type-checked, under Deno. */
const PACKAGES = ['api', 'pki', 'plugin', 'plugin-istio', 'plugin-kit', 'plugin-osm', 'relay-core'];

/** The command that checks their types, as program and arguments. */
export const DENO_CHECK = ['deno', 'check', ...PACKAGES.map((name) => `packages/${name}/src/mod.ts`)];
