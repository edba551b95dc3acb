/** The pure heart of Meshrelay: incremental graph, resolve, translate, output, and the mesh plugin contract. */
export {};
